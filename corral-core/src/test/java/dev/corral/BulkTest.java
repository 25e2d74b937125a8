package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** {@code getAll}, with and without a bulk loader. */
class BulkTest extends WorldTest {
    private final List<Set<String>> bulks = new ArrayList<>();
    private Runnable meanwhile = () -> {};

    private Map<String, String> loadAll(Set<String> keys) {
        bulks.add(new TreeSet<>(keys));
        Map<String, String> rows = new HashMap<>();
        keys.forEach(key -> rows.put(key, key + "-" + database.row));
        Runnable now = meanwhile;
        meanwhile = () -> {};
        world.elsewhere(now);
        world.pass(database.takes);
        if (database.fails instanceof RuntimeException failure) {
            throw failure;
        }
        return rows;
    }

    private Cache<String, String> bulkCache() {
        return node().bulkLoader(this::loadAll).build(database);
    }

    private Cache<String, String> batchesBehind(LoadLimiter limiter, Duration waitTimeout) {
        return node().limit(limiter)
                .bulkLoader(this::loadAll)
                .waitTimeout(waitTimeout)
                .build(database);
    }

    @Test
    void missingKeysAreReadInOneBatchAndLoadedInOneCall() {
        Cache<String, String> cache = bulkCache();
        cache.put("a", "put");
        store.steps().clear();

        Map<String, String> values = cache.getAll(List.of("a", "b", "c", "b"));

        assertThat(values).isEqualTo(Map.of("a", "put", "b", "b-v1", "c", "c-v1"));
        assertThat(bulks).containsExactly(new TreeSet<>(Set.of("b", "c")));
        assertThat(store.steps()).filteredOn("read"::equals).hasSize(1);
        assertThat(cache.getAll(List.of("b", "c"))).hasSize(2);
        assertThat(bulks).hasSize(1);
        assertThat(cache.stats().loads()).isEqualTo(1);
    }

    @Test
    void keysThatAreMissingInTheResultAreKnownAbsent() {
        Cache<String, String> cache =
                node().bulkLoader((Set<String> keys) -> Map.of("a", "1")).build(database);

        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "1"));
        assertThat(cache.get("b")).isNull();
        assertThat(database.count()).isZero();
    }

    /** The keys whose lease was won are loaded and committed before the others are waited for. */
    @Test
    void wonKeysAreCommittedBeforeTheOthersAreWaitedFor() {
        hold("slow", seconds(3));
        Cache<String, String> cache = bulkCache();
        Cache<String, String> other = otherNode().build(database);
        List<String> seen = new ArrayList<>();
        platform.delays().after(seconds(1).toNanos(), () -> seen.add(String.valueOf(other.getIfPresent("b"))));

        assertThat(cache.getAll(List.of("slow", "b"))).isEqualTo(Map.of("slow", "v1", "b", "b-v1"));

        assertThat(seen)
                .as("one second in, while slow was still being waited for")
                .containsExactly("b-v1");
        assertThat(bulks).containsExactly(Set.of("b"));
        assertThat(database.queries).containsExactly("slow");
    }

    @Test
    void aKeyThatIsBeingLoadedHereIsJoined() {
        Cache<String, String> cache = bulkCache();
        database.takes = seconds(1);
        List<Map<String, String>> answers = new ArrayList<>();
        CompletableFuture<String> single = cache.getAsync("a");
        database.meanwhile = () -> {
            database.takes = seconds(0);
            answers.add(cache.getAll(List.of("b")));
        };
        world.pass(seconds(2));

        assertThat(single).isCompletedWithValue("v1");
        assertThat(answers).containsExactly(Map.of("b", "b-v1"));
        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "v1", "b", "b-v1"));
    }

    @Test
    void aFailedBulkLoadFailsItsCallersAndBacksOffForEachKey() {
        Cache<String, String> cache = bulkCache();
        database.fails = new IllegalStateException("sick");

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b"))).hasMessage("sick");
        database.fails = null;
        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(LoadFailedException.class);
        world.pass(seconds(1));
        assertThat(cache.get("a")).isEqualTo("v1");
    }

    @Test
    void aBulkLoaderThatReturnsNullIsAFailure() {
        Cache<String, String> cache =
                node().bulkLoader((Set<String> keys) -> null).build(database);

        assertThatThrownBy(() -> cache.getAll(List.of("a")))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("the bulk loader returned null");
    }

    @Test
    void withoutABulkLoaderKeysAreLoadedOneByOne() {
        Cache<String, String> cache = node().build(database);

        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "v1", "b", "v1"));
        assertThat(database.queries).containsExactly("a", "b");
    }

    /** A load's time counts from when it begins, not from when its turn was due. */
    @Test
    void keysThatWaitForTheirTurnAreNotOverdue() {
        Cache<String, String> cache = node().maximumLoadTime(seconds(5)).build(database);
        database.takes = seconds(2);

        assertThat(cache.getAll(List.of("a", "b", "c", "d", "e"))).hasSize(5);
        assertThat(cache.stats().loadsOverdue()).isZero();
    }

    @Test
    void withoutTheStoreTheBulkLoaderIsStillCalledOnce() {
        Cache<String, String> cache = bulkCache();
        store.become(FlakyStore.State.DOWN);

        assertThat(cache.getAll(List.of("a", "b", "c"))).hasSize(3);
        assertThat(bulks).hasSize(1);
    }

    @Test
    void nearHitsAreNotReadFromTheStore() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10))
                .bulkLoader(this::loadAll)
                .build(database);
        cache.getAll(List.of("a", "b"));
        store.steps().clear();

        assertThat(cache.getAll(List.of("a", "b"))).hasSize(2);
        assertThat(store.steps()).isEmpty();
    }

    @Test
    void noKeysNoQuestions() {
        Cache<String, String> cache = bulkCache();

        assertThat(cache.getAll(List.of())).isEmpty();
        assertThat(store.steps()).isEmpty();
    }

    @Test
    void aLoaderThatReadsItsOwnKeyInBulkIsToldTheCycle() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().build(
                        (String key) -> self.get(0).getAll(List.of("x", key)).get(key));
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(RecursiveLoadException.class);
        world.settle();
        assertThat(cache.stats().loadsRunning()).isZero();
    }

    /** No lease and no permit is held for a key behind another key's loader: other readers and nodes can have them. */
    @Test
    void withoutABulkLoaderKeysInLineHoldNeitherPermitNorLease() {
        LoadLimiter limiter = LoadLimiter.of(2);
        List<Integer> running = new ArrayList<>();
        List<String> others = new ArrayList<>();
        Cache<String, String> cache = node().limit(limiter).build((String key) -> {
            running.add(limiter.running());
            world.pass(seconds(2));
            return key;
        });
        Cache<String, String> other = otherNode().build((String key) -> "other " + key);
        platform.delays().after(seconds(1).toNanos(), () -> others.add(cache.get("z")));
        platform.delays().after(seconds(5).toNanos(), () -> others.add(other.get("k9")));

        Map<String, String> values = cache.getAll(List.of("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"));

        assertThat(values).hasSize(10).containsEntry("k0", "k0").containsEntry("k9", "other k9");
        assertThat(others).containsExactly("z", "other k9");
        assertThat(running).as("one for the batch, one for the other reader").allMatch(n -> n <= 2);
        assertThat(cache.stats().waitTimeouts()).isZero();
    }

    @Test
    void timeInLineDoesNotCountAgainstAKeysBound() {
        Cache<String, String> cache = node().waitTimeout(seconds(3)).build(database);
        database.takes = seconds(2);

        assertThat(cache.getAll(List.of("a", "b", "c", "d"))).hasSize(4);
    }

    @Test
    void theFirstFailureEndsTheLine() {
        Cache<String, String> cache = node().build(database);
        database.fails = new IllegalStateException("sick");

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b", "c"))).hasMessage("sick");
        assertThat(database.queries).containsExactly("a");
    }

    /** A key that waits for another node's load lets the next one begin, and asks again while that is being loaded. */
    @Test
    void aKeyThatWaitsForSomebodyElseDoesNotHoldUpTheLine() {
        hold("held", seconds(1));
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(5);
        long began = world.now();

        assertThat(cache.getAll(List.of("held", "b"))).hasSize(2);

        assertThat(database.queries).containsExactly("b", "held");
        assertThat(world.now() - began)
                .as("side by side: the second on the executor")
                .isLessThan(seconds(8).toNanos());
        assertThat(cache.stats().leasesLost()).isZero();
    }

    @Test
    void aResultMapThatThrowsFailsEachKeyAndLeavesNothingBehind() {
        Cache<String, String> cache = node().bulkLoader((Set<String> keys) -> new AbstractMap<String, String>() {
                    @Override
                    public String get(Object key) {
                        throw new ClassCastException("no such key");
                    }

                    @Override
                    public Set<Entry<String, String>> entrySet() {
                        return Set.of();
                    }
                })
                .backOff(millis(1), millis(1))
                .build((String key) -> "single");

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b"))).hasMessage("no such key");
        world.pass(seconds(1));
        assertThat(world.pendingTimers()).as("no lease is renewed").isZero();
        assertThat(cache.get("a")).isEqualTo("single");
    }

    @Test
    void aBulkLoaderServesSingleReadsOfACacheWithoutALoader() {
        Cache<String, String> cache = node().bulkLoader(this::loadAll).build();

        assertThat(cache.get("a")).isEqualTo("a-v1");
    }

    @Test
    void aBulkLoaderThatReadsOneOfItsKeysIsToldTheCycle() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().bulkLoader(
                        (Set<String> keys) -> Map.of("a", self.get(0).get("b")))
                .build((String key) -> "single");
        self.add(cache);

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b")))
                .isInstanceOf(RecursiveLoadException.class)
                .hasMessageContaining("c[b] -> c[b]");
    }

    /** The cycle is found before anything is asked of the store; the others of the batch must not wait for that key. */
    @Test
    void aCycleInABatchFailsOnlyThatKey() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().bulkLoader(this::loadAll)
                .build((String key) -> self.get(0).getAll(List.of("x", key)).get("x"));
        self.add(cache);
        long began = world.now();

        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(RecursiveLoadException.class);
        assertThat(world.now()).as("nobody waited").isEqualTo(began);
        assertThat(bulks).containsExactly(Set.of("x"));
    }

    /** A key that went without when the batch asked first has its own load, also if it gets its lease while it asks again. */
    @Test
    void aKeyThatWentWithoutStaysWithoutWhenTheBatchAsksAgain() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache = batchesBehind(limiter, seconds(60));
        hold("held", seconds(10.1));
        platform.delays().after(seconds(10).toNanos(), () -> {
            store.answerLate(millis(500));
            limiter.permits.release(); // the batch asks again, and is answered after the key that asks later
            store.answerLate(millis(100));
        });

        assertThat(cache.getAll(List.of("held", "a", "b"))).isEqualTo(Map.of("held", "v1", "a", "a-v1", "b", "b-v1"));
        world.pass(seconds(5));

        assertThat(bulks).containsExactly(new TreeSet<>(Set.of("a", "b")));
        assertThat(limiter.running()).isZero();
        assertThat(cache.stats().loadsRunning()).isZero();
    }

    /** FAULTS: the leases of a batch that queues long for a permit lapse; its keys ask again before they are loaded. */
    @Test
    void aBatchThatQueuedLongForItsPermitAsksAgain() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache = batchesBehind(limiter, seconds(60));
        Cache<String, String> other = otherNode().build((String key) -> "other");
        List<String> seen = new ArrayList<>();
        platform.delays().after(seconds(5).toNanos(), () -> seen.add(other.get("a")));
        platform.delays().after(seconds(10).toNanos(), limiter.permits::release);

        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "other", "b", "b-v1"));

        assertThat(seen).as("the other node had a permit").containsExactly("other");
        assertThat(bulks).containsExactly(Set.of("b"));
        assertThat(cache.stats().leasesLost()).isZero();
        assertThat(limiter.running()).isZero();
    }

    /** Promise 4: callers that have gone leave nothing behind, also not a place in the limiter's queue. */
    @Test
    void aBatchWhoseCallersHaveGoneLeavesTheLimitersQueue() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache = batchesBehind(limiter, seconds(1));

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b"))).isInstanceOf(WaitTimeoutException.class);

        assertThat(limiter.queued()).isZero();
        limiter.permits.release();
        world.pass(seconds(5));
        assertThat(bulks).isEmpty();
        assertThat(limiter.running()).isZero();
        assertThat(cache.stats().loadsRunning()).isZero();
        assertThat(world.pendingTimers()).isZero();
    }

    /** It goes on for the keys that somebody else waits for, and for no others. */
    @Test
    void aBatchInTheQueueLoadsOnlyWhatSomebodyStillWaitsFor() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache = batchesBehind(limiter, seconds(1));
        List<CompletableFuture<String>> joined = new ArrayList<>();
        platform.delays().after(millis(500).toNanos(), () -> joined.add(cache.getAsync("a")));

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b"))).isInstanceOf(WaitTimeoutException.class);
        limiter.permits.release();
        world.pass(millis(100));

        assertThat(joined).hasSize(1).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("a-v1"));
        assertThat(bulks).containsExactly(Set.of("a"));
        assertThat(limiter.running()).isZero();
    }
}
