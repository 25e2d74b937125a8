package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Promise 2: no read that begins after a write has answered APPLIED yields what was loaded before it. */
class InvalidationTest extends WorldTest {

    private void changeAndInvalidate(Cache<String, String> through) {
        database.row = "v2";
        assertThat(through.invalidate("k")).isEqualTo(Delivery.APPLIED);
    }

    /** FAULTS E-1: deleted while it is loaded; the loader has read the old row. */
    @Test
    void aLoadThatAnInvalidationOvertookFillsNothing() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> changeAndInvalidate(cache);

        assertThat(cache.get("k")).as("this read began before").isEqualTo("v1");

        assertThat(cache.stats().commitsRejected()).isEqualTo(1);
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void aReadThatBeginsAfterTheInvalidationDoesNotJoinTheOldFlight() {
        Cache<String, String> cache = node().build(database);
        List<CompletableFuture<String>> later = new ArrayList<>();
        database.takes = seconds(1);
        database.meanwhile = () -> {
            changeAndInvalidate(cache);
            later.add(cache.getAsync("k"));
        };
        cache.get("k");
        world.pass(seconds(2));

        assertThat(later.get(0)).isCompletedWithValue("v2");
        assertThat(database.count()).isEqualTo(2);
    }

    /** The other node does not hear of the invalidation; its flight's commit is rejected, and the follower starts again. */
    @Test
    void aFollowerThatJoinedAfterTheLoadBeganStartsAgainWhenTheCommitIsRejected() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        List<CompletableFuture<String>> later = new ArrayList<>();
        store.mute(true);
        database.takes = seconds(1);
        database.meanwhile = () -> {
            changeAndInvalidate(other);
            later.add(cache.getAsync("k")); // joins: nothing here knows of the invalidation
        };
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.stats().joined()).isEqualTo(1);
        world.pass(seconds(2));

        assertThat(later.get(0)).isCompletedWithValue("v2");
    }

    /** FAULTS E-2, through an early refresh. */
    @Test
    void anEarlyRefreshThatAnInvalidationOvertookFillsNothing() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0);
        cache.get("k");
        database.meanwhile = () -> changeAndInvalidate(cache);
        world.pass(seconds(1));
        world.dice(0.99);

        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS E-2, through the background job. */
    @Test
    void aPrecomputedValueThatAnInvalidationOvertookFillsNothing() {
        Cache<String, String> cache = node().strategy(Strategy.external())
                .precompute(job -> job.keys("k").every(seconds(30)))
                .build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> changeAndInvalidate(cache);
        world.pass(seconds(1));

        assertThat(cache.getIfPresent("k")).isNotEqualTo("v1");
        world.pass(seconds(5));
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS E-2, through bulk. */
    @Test
    void aBulkLoadThatAnInvalidationOvertookFillsNothing() {
        List<Runnable> meanwhile = new ArrayList<>();
        Cache<String, String> cache = node().bulkLoader((java.util.Set<String> keys) -> {
                    String row = database.row;
                    meanwhile.forEach(world::elsewhere);
                    meanwhile.clear();
                    return Map.of("k", row, "other", row);
                })
                .build(database);
        meanwhile.add(() -> changeAndInvalidate(cache));

        assertThat(cache.getAll(List.of("k", "other"))).containsEntry("k", "v1");

        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(cache.get("other")).as("nobody invalidated that one").isEqualTo("v1");
    }

    @Test
    void aLoadThatAPutOvertookDoesNotOverwriteIt() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> cache.put("k", "put");

        cache.get("k");

        assertThat(cache.get("k")).isEqualTo("put");
    }

    /** FAULTS E-9. */
    @Test
    void aRefreshAfterAPutUsesTheLoaderOfItsOwnCall() {
        Cache<String, String> cache = node().build();
        cache.get("k", key -> {
            world.pass(seconds(1));
            return "first";
        });
        cache.put("k", "put");
        world.pass(seconds(61));

        assertThat(cache.get("k", key -> "second")).isEqualTo("second");
    }

    /** FAULTS E-4: the answer of a read arrives after the announcement of the invalidation. */
    @Test
    void aReadThatTheInvalidationOvertookDoesNotFillTheNearTier() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(50)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        other.get("k");
        store.answerLate(millis(100));
        CompletableFuture<String> read = cache.getAsync("k");
        world.pass(millis(50));
        changeAndInvalidate(other);
        world.pass(millis(100));
        store.answerLate(null);
        world.settle();

        assertThat(read).isCompletedWithValue("v1");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** The same with an invalidation of this node's own, whose announcement it does not hear. */
    @Test
    void aReadAnsweredBetweenTheTwoEndsOfAnInvalidationDoesNotFillTheNearTier() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(50)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        other.get("k");
        store.answerLate(millis(100));
        CompletableFuture<String> read = cache.getAsync("k");
        world.pass(millis(50));
        changeAndInvalidate(cache); // takes 100 ms, during which the read is answered
        store.answerLate(null);
        world.settle();

        assertThat(read).isCompleted();
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS E-13: write, then read on the same thread. */
    @Test
    void aReadAfterAWriteSeesIt() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        cache.get("k");
        assertThat(cache.put("k", "put")).isEqualTo(Delivery.APPLIED);
        assertThat(cache.get("k")).isEqualTo("put");
        cache.invalidate("k");
        assertThat(cache.getIfPresent("k")).isNull();
    }

    @Test
    void invalidateAllForgetsEverythingOnAllNodesAndStopsLoadsUnderWay() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        Cache<String, String> other =
                otherNode().near(near -> near.maximumSize(10)).build(database);
        cache.get("a");
        other.get("a");
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            assertThat(other.invalidateAll()).isEqualTo(Delivery.APPLIED);
        };
        assertThat(cache.get("b")).isEqualTo("v1");

        assertThat(cache.get("a")).isEqualTo("v2");
        assertThat(other.get("a")).isEqualTo("v2");
        assertThat(cache.get("b")).isEqualTo("v2");
    }

    @Test
    void invalidateAllOfSomeKeysIsOneStepAndLeavesTheOthers() {
        Cache<String, String> cache = node().build(database);
        cache.getAll(List.of("a", "b", "c"));
        database.row = "v2";
        store.steps().clear();

        assertThat(cache.invalidateAll(List.of("a", "b"))).isEqualTo(Delivery.APPLIED);

        assertThat(store.steps()).containsExactly("invalidate");
        assertThat(cache.getAll(List.of("a", "b", "c"))).isEqualTo(Map.of("a", "v2", "b", "v2", "c", "v1"));
    }

    /** FAULTS A-11: a hot key is invalidated while many read it. */
    @Test
    void afterAnInvalidationUnderLoadThereIsOneLoad() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        changeAndInvalidate(cache);
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(cache.getAsync("k"));
            answers.add(other.getAsync("k"));
        }
        world.pass(seconds(2));

        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("v2"));
        assertThat(database.count()).isEqualTo(2);
    }

    @Test
    void refreshReplacesTheValueAndServesTheOldOneMeanwhile() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        database.row = "v2";
        database.takes = seconds(1);
        String[] meanwhile = {null};
        database.meanwhile = () -> meanwhile[0] = cache.get("k");

        CompletableFuture<String> refreshed = cache.refresh("k");
        world.pass(seconds(1));

        assertThat(meanwhile[0]).isEqualTo("v1");
        assertThat(refreshed).isCompletedWithValue("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void refreshOnTwoNodesAtOnceIsOneLoad() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        database.row = "v2";
        database.takes = seconds(1);
        CompletableFuture<String> one = cache.refresh("k");
        CompletableFuture<String> two = other.refresh("k");
        world.pass(seconds(2));

        assertThat(one).isCompletedWithValue("v2");
        assertThat(two).isCompletedWithValue("v2");
        assertThat(database.count()).isEqualTo(2);
    }
}
