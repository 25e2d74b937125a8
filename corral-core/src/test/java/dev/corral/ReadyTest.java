package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.Strategy.Meanwhile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reads that do not wait: {@code getIfReady}, {@code getIfPresent}, pending answers, the background job. */
class ReadyTest extends WorldTest {

    @Test
    void getIfReadySaysPendingAtOnceAndLoadsInTheBackground() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(3);

        Lookup<String> first = cache.getIfReady("k");

        assertThat(first.outcome()).isEqualTo(Outcome.PENDING);
        assertThat(first.retryAfter()).as("nothing known yet: a second").isEqualTo(seconds(1));
        assertThat(first.isKnownAbsent()).isFalse();
        world.pass(seconds(3));
        assertThat(cache.getIfReady("k").value()).isEqualTo("v1");
        assertThat(cache.getIfReady("other").retryAfter()).as("a usual load").isEqualTo(seconds(3));
        assertThat(cache.stats().pendingServed()).isEqualTo(2);
    }

    @Test
    void getIfReadyGivesFreshAndStale() {
        Cache<String, String> cache =
                node().serveStaleWhileRefreshing(seconds(30)).build(database);
        cache.get("k");
        assertThat(cache.getIfReady("k").outcome()).isEqualTo(Outcome.FRESH);
        world.pass(seconds(61));
        assertThat(cache.getIfReady("k").outcome()).isEqualTo(Outcome.STALE);
    }

    @Test
    void getIfReadyOfAFailingKeySaysWhenTheBackOffEnds() {
        Cache<String, String> cache = node().backOff(seconds(7), seconds(30)).build(database);
        database.fails = new IllegalStateException("sick");
        cache.getIfReady("k");
        world.settle();

        assertThat(cache.getIfReady("k").retryAfter()).isEqualTo(seconds(7));
        world.settle();
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void getIfPresentNeverLoads() {
        Cache<String, String> cache = node().build(database);
        assertThat(cache.getIfPresent("k")).isNull();
        world.settle();
        assertThat(database.count()).isZero();

        cache.get("k");
        assertThat(cache.getIfPresent("k")).isEqualTo("v1");
    }

    @Test
    void looksAtACacheWithoutALoaderDoNotBackItOff() {
        Cache<String, String> cache = node().build();
        Loader<String, String> slow = key -> {
            world.pass(seconds(1));
            return "v1";
        };
        cache.get("k", slow);
        world.pass(seconds(50));
        world.dice(0);
        cache.getIfPresent("k");
        cache.getIfReady("k");
        world.settle();
        world.pass(seconds(20));

        assertThat(cache.stats().loadFailures()).isZero();
        assertThat(cache.get("k", slow)).isEqualTo("v1");
    }

    @Test
    void getIfPresentDoesNotRefresh() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0);
        cache.getIfPresent("k");
        world.pass(seconds(2));

        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void withMeanwhilePendingGetThrowsUntilTheBackgroundLoadHasEnded() {
        Cache<String, String> cache = node().meanwhile(Meanwhile.PENDING).build(database);
        database.takes = seconds(2);

        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOfSatisfying(
                        PendingException.class, e -> assertThat(e.retryAfter()).isEqualTo(seconds(1)))
                .hasMessageContaining("Cache c has no value for key k yet");
        assertThat(cache.lookup("k").outcome()).isEqualTo(Outcome.PENDING);
        var async = cache.getAsync("k");
        world.settle();
        assertThatThrownBy(async::join).hasCauseInstanceOf(PendingException.class);
        world.pass(seconds(2));
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
    }

    // ---- strategy external

    private Cache<String, String> external(FlakyStore connection) {
        return on(connection)
                .strategy(Strategy.external())
                .precompute(job -> job.keys("k").every(seconds(30)))
                .build(database);
    }

    @Test
    void readersOfAnExternalCacheNeverLoad() {
        Cache<String, String> cache = external(store);

        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(PendingException.class);
        assertThatThrownBy(() -> cache.get("unknown", key -> "loaded")).isInstanceOf(PendingException.class);
        assertThat(database.count()).isZero();
        world.settle();
        assertThat(cache.get("k")).as("the job has run").isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void theJobRegeneratesOncePerPeriodInTheCluster() {
        Cache<String, String> cache = external(store);
        Cache<String, String> other = external(otherStore);
        database.takes = seconds(1);
        for (int i = 0; i < 6; i++) {
            database.row = "v" + i;
            world.pass(seconds(30.9)); // period and load take 31 s together
            assertThat(cache.get("k")).isEqualTo("v" + i);
            assertThat(other.get("k")).isEqualTo("v" + i);
        }
        assertThat(database.count()).isEqualTo(6);
        assertThat(database.most).isEqualTo(1);
    }

    @Test
    void anotherNodeTakesOverWhenTheOneThatLoadedIsGone() {
        Cache<String, String> cache = external(store);
        Cache<String, String> other = external(otherStore);
        world.pass(seconds(31));
        int before = database.count();
        cache.close();
        world.pass(seconds(31));

        assertThat(database.count()).isEqualTo(before + 1);
        assertThat(other.get("k")).isEqualTo("v1");
    }

    @Test
    void aFailedPrecomputeKeepsTheOldValueAndTellsEveryNode() {
        CacheBuilder<Object, Object> builder = on(store)
                .strategy(Strategy.external())
                .precompute(job -> job.keys("k").every(seconds(10)));
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        world.settle();
        database.fails = new IllegalStateException("sick");
        world.pass(seconds(30));

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.PrecomputeOverdue.class);
        assertThat(cache.stats().overduePrecomputes()).isEqualTo(1);
        database.fails = null;
        database.row = "v2";
        world.pass(seconds(31));
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void thePeriodIsHalfTheTimeToLiveByDefault() {
        node().strategy(Strategy.external()).precompute(job -> job.keys("k")).build(database);
        world.pass(seconds(29));
        assertThat(database.count()).isEqualTo(1);
        world.pass(seconds(1.5));
        assertThat(database.count()).isEqualTo(2);
    }

    @Test
    void anExternalCacheCanBeRefreshedByHand() {
        Cache<String, String> cache = external(store);
        world.settle();
        database.row = "v2";

        var refreshed = cache.refresh("k");
        world.settle();

        assertThat(refreshed).isCompletedWithValue("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void withoutTheStoreTheJobKeepsTheNearTierFilled() {
        Cache<String, String> cache = on(store)
                .strategy(Strategy.external())
                .precompute(job -> job.keys("k").every(seconds(2)))
                .near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        store.become(FlakyStore.State.DOWN);
        cache.invalidate("x");
        world.pass(seconds(20));

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isBetween(5, 15);
    }

    @Test
    void insideALoaderReadsThatDoNotWaitDoNotLoadEither() {
        Cache<String, String> inner = node().build(database);
        Cache<String, String> outer = Corral.newBuilder("outer")
                .platform(platform)
                .expireAfterWrite(TTL)
                .build((String key) ->
                        inner.getIfPresent("k") + " " + inner.getIfReady("k").outcome());
        store.become(FlakyStore.State.FROZEN);

        assertThat(outer.get("x")).isEqualTo("null PENDING");
    }

    @Test
    void getIfReadyAnswersPendingAtItsBoundToo() {
        Cache<String, String> cache = node().waitTimeout(millis(200)).build(database);
        store.become(FlakyStore.State.FROZEN);

        assertThat(cache.getIfReady("k").outcome()).isEqualTo(Outcome.PENDING);
    }

    @Test
    void anInvalidatedKeyOfTheJobIsComputedAtOnceAndNotAtItsNextPeriod() {
        Cache<String, String> cache = job();
        Cache<String, String> other = jobOn(otherStore);
        world.pass(seconds(1));
        database.row = "v2";
        otherNode().build(database).invalidate("k");
        world.pass(seconds(1));

        assertThat(cache.getIfReady("k").value()).isEqualTo("v2");
        assertThat(other.getIfReady("k").value()).isEqualTo("v2");
        assertThat(database.count()).as("one node's job").isEqualTo(2);

        database.row = "v3";
        cache.invalidateAll();
        world.pass(seconds(1));
        assertThat(cache.getIfReady("k").value()).isEqualTo("v3");
    }

    /** FAULTS E: the entry was evicted, and nobody was told; the first reader that misses it wakes the job. */
    @Test
    void aKeyOfTheJobThatVanishedIsComputedWhenAReaderMissesIt() {
        Cache<String, String> cache = job();
        world.pass(seconds(1));
        store.mute(true);
        region().invalidate(List.of("k"));

        assertThat(cache.getIfReady("k").outcome()).isEqualTo(Outcome.PENDING);
        world.pass(seconds(1));

        assertThat(cache.getIfReady("k").value()).isEqualTo("v1");
    }

    @Test
    void aKeyThatTheJobDoesNotKnowIsPendingForAPeriod() {
        Cache<String, String> cache = job();

        assertThat(cache.getIfReady("unknown").retryAfter()).isEqualTo(seconds(300));
        world.settle();
        assertThat(database.queries).doesNotContain("unknown");
    }

    @Test
    void aKeyOfTheJobThatCannotBeComputedIsOverdue() {
        database.fails = new IllegalStateException("sick");
        CacheBuilder<Object, Object> builder = node().strategy(Strategy.external());
        List<CacheEvent> events = recordEvents(builder);
        Cache<String, String> cache =
                builder.precompute(p -> p.keys("k").every(seconds(10))).build(database);
        world.pass(seconds(30));

        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.PrecomputeOverdue.class);
        assertThat(cache.stats().overduePrecomputes()).isEqualTo(1);
    }

    private Cache<String, String> job() {
        return jobOn(store);
    }

    private Cache<String, String> jobOn(FlakyStore connection) {
        return on(connection)
                .strategy(Strategy.external())
                .expireAfterWrite(seconds(600))
                .precompute(p -> p.keys("k"))
                .build(database);
    }

    @Test
    void aRefreshThatReachesItsBoundFailsAndDoesNotSayKnownAbsent() {
        Cache<String, String> cache = job();
        world.settle();
        database.takes = seconds(15);
        CompletableFuture<String> refresh = cache.refresh("k");
        world.pass(seconds(14));

        assertThatThrownBy(refresh::join).hasCauseInstanceOf(WaitTimeoutException.class);
    }

    @Test
    void readersOfTheJobsCacheDoNotLoadWhatIsStaleEither() {
        Cache<String, String> cache = node().strategy(Strategy.external())
                .serveStaleWhileRefreshing(seconds(60))
                .precompute(p -> p.keys("k").every(seconds(600)))
                .build(database);
        world.settle();
        cache.put("p", "put");
        world.pass(seconds(61));

        assertThat(cache.getIfReady("p").outcome()).isEqualTo(Outcome.STALE);
        world.settle();
        assertThat(database.queries).doesNotContain("p");
    }

    @Test
    void aHookThatThrowsOnceDoesNotEndTheJob() {
        boolean[] broken = {false};
        Cache<String, String> cache = node().strategy(Strategy.external())
                .context(task -> {
                    if (broken[0]) {
                        throw new IllegalStateException("context");
                    }
                    return task;
                })
                .precompute(p -> p.keys("k").every(seconds(10)))
                .build(database);
        world.settle();
        broken[0] = true;
        world.pass(seconds(11));
        broken[0] = false;
        world.pass(seconds(30));

        assertThat(database.count()).isGreaterThan(3);
        assertThat(cache.stats().refreshesRefused()).isPositive();
    }
}
