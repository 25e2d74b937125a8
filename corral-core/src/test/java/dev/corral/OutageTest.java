package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.spi.Breaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Promise 6: the store's trouble is not the caller's; and the replay before it is trusted again. */
class OutageTest extends WorldTest {

    /** FAULTS H-2: the store is gone. */
    @Test
    void withoutTheStoreReadsAreServedByTheLoader() {
        CacheBuilder<Object, Object> builder = node();
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        store.become(FlakyStore.State.DOWN);

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.stats().outageLoads()).isEqualTo(1);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.StoreLost.class);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.StoreFailed.class);
    }

    @Test
    void withoutTheStoreTheNearTierAndTheFlightsCarryOn() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        store.become(FlakyStore.State.DOWN);
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(cache.getAsync("k"));
        }
        world.pass(seconds(1));

        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("v1"));
        assertThat(database.count()).isEqualTo(1);
        world.pass(seconds(3));
        cache.get("k");
        assertThat(database.count()).as("near").isEqualTo(1);
        world.pass(seconds(3));
        cache.get("k");
        assertThat(database.count()).isEqualTo(2);
    }

    /** FAULTS H-1: frozen, not dead. After three time-outs nobody pays another. */
    @Test
    void aFrozenStoreCostsAFewTimeoutsAndThenNone() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.FROZEN);
        Duration worst = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            long before = world.now();
            assertThat(cache.get("k")).isEqualTo("v1");
            Duration took = Duration.ofNanos(world.now() - before);
            worst = took.compareTo(worst) > 0 ? took : worst;
            if (i >= 3) {
                assertThat(took).isZero();
            }
        }
        assertThat(worst).isEqualTo(seconds(1));
        assertThat(store.breaker().allows()).isFalse();
    }

    @Test
    void withoutTheStoreTheLimitOfLoadsHolds() {
        Cache<Integer, String> cache =
                node().limit(LoadLimiter.of(3)).waitTimeout(seconds(60)).build((Integer key) -> database.load("k"));
        store.become(FlakyStore.State.DOWN);
        database.takes = seconds(1);
        for (int i = 0; i < 30; i++) {
            cache.getAsync(i);
        }
        world.pass(seconds(60));

        assertThat(database.most).isLessThanOrEqualTo(3);
        assertThat(database.count()).isEqualTo(30);
    }

    /** Promise 5: failed loads back off in this process while the store cannot say so. */
    @Test
    void withoutTheStoreAFailingKeyBacksOffInThisProcess() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.DOWN);
        database.fails = new IllegalStateException("sick");
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> cache.get("k")).isInstanceOf(RuntimeException.class);
        }
        assertThat(database.count()).isEqualTo(1);
        world.pass(seconds(1));
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
    }

    /** A full Redis refuses writes: each load is served and none is stored, and the breaker stays closed. */
    @Test
    void aFullStoreServesLoadsThatItDoesNotStore() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.FULL);

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(database.count()).isEqualTo(2);
        assertThat(store.breaker().allows()).isTrue();
    }

    @Test
    void aLoadWhoseCommitIsNotAnsweredIsServed() {
        Cache<String, String> cache = node().build(database);
        database.meanwhile = () -> store.become(FlakyStore.State.DOWN);

        assertThat(cache.get("k")).isEqualTo("v1");
    }

    @Test
    void anInvalidationDuringAnOutageIsQueuedAndReplayedBeforeTheKeyIsTrusted() {
        CacheBuilder<Object, Object> builder = node();
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        store.become(FlakyStore.State.DOWN);
        database.row = "v2";

        assertThat(cache.invalidate("k")).isEqualTo(Delivery.QUEUED);
        assertThat(cache.stats().queuedWrites()).isEqualTo(1);
        assertThat(cache.get("k")).as("applied locally at once").isEqualTo("v2");
        assertThat(other.get("k")).as("the docs say so").isEqualTo("v1");

        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));
        assertThat(cache.stats().queuedWrites()).isZero();
        assertThat(other.get("k")).isEqualTo("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.StoreRecovered.class);
    }

    @Test
    void aKeyWhoseReplayIsOutstandingIsNotReadFromTheStore() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        cache.get("trusted");
        database.row = "v2";
        store.become(FlakyStore.State.DEAF_ANSWERS, "invalidate"::equals);
        store.become(FlakyStore.State.FROZEN, "invalidate"::equals); // only invalidations do not get through
        assertThat(cache.invalidate("k")).isEqualTo(Delivery.QUEUED);

        assertThat(store.breaker().allows()).isTrue();
        assertThat(cache.get("k")).as("the store still has v1").isEqualTo("v2");
        assertThat(cache.get("trusted")).as("other keys are trusted").isEqualTo("v1");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(2));
        assertThat(cache.stats().queuedWrites()).isZero();
    }

    /** A put during an outage: nobody knows whether it is still the newest when the store is back. */
    @Test
    void aPutDuringAnOutageServesLocallyAndIsReplayedAsAnInvalidation() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        store.become(FlakyStore.State.DOWN);
        cache.invalidate("x"); // opens the breaker

        assertThat(cache.put("k", "put")).isEqualTo(Delivery.QUEUED);
        assertThat(cache.get("k")).isEqualTo("put");

        database.row = "v2";
        store.become(FlakyStore.State.UP);
        world.pass(seconds(6));
        assertThat(other.get("k")).isEqualTo("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** The put that a broken connection still had in it is carried out before an invalidation that comes after it. */
    @Test
    void aPutWhoseConnectionBreaksDoesNotUndoALaterInvalidation() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        store.become(FlakyStore.State.CUT_OFF, step -> step.equals("put"));

        assertThat(cache.put("k", "put")).isEqualTo(Delivery.QUEUED);
        assertThat(other.invalidate("k")).isEqualTo(Delivery.APPLIED);
        for (int i = 0; i < 30; i++) {
            assertThat(other.getIfPresent("k")).isNull();
            world.pass(millis(100));
        }
    }

    @Test
    void invalidatingEverythingDuringAnOutageIsReplayed() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        store.become(FlakyStore.State.DOWN);
        database.row = "v2";
        assertThat(cache.invalidateAll()).isEqualTo(Delivery.QUEUED);
        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));

        assertThat(other.get("k")).isEqualTo("v2");
    }

    @Test
    void moreQueuedKeysThanFitBecomeAnInvalidationOfEverything() {
        Cache<Integer, String> cache = node().build((Integer key) -> database.load("k"));
        cache.get(1);
        store.become(FlakyStore.State.DOWN);
        for (int i = 0; i < 10_001; i++) {
            cache.invalidate(i);
        }
        assertThat(cache.stats().queuedWrites()).isEqualTo(1);
        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));
        assertThat(store.steps()).contains("invalidateAll");
        assertThat(cache.getIfPresent(1)).isNull();
    }

    /** What a failing-over store forgets after acknowledging: the last 30 s are replayed. */
    @Test
    void invalidationsOfTheLastThirtySecondsAreReplayedAfterALoss() {
        Cache<String, String> cache = node().build(database);
        cache.invalidate("old");
        world.pass(seconds(31));
        cache.invalidate("young");
        store.become(FlakyStore.State.DOWN);
        cache.invalidate("during");
        assertThat(cache.stats().queuedWrites()).isEqualTo(2);
        store.steps().clear();
        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));

        assertThat(store.steps()).containsExactly("invalidate");
        assertThat(cache.stats().queuedWrites()).isZero();
    }

    /** FAULTS H-5: everything is flushed under load, the database has room for two; it converges. */
    @Test
    void aFlushedStoreFillsUpAgain() {
        Cache<Integer, String> cache = node().limit(LoadLimiter.of(2)).build((Integer key) -> database.load("k"));
        for (int i = 0; i < 50; i++) {
            cache.get(i);
        }
        database.takes = millis(100);
        cache.invalidateAll();
        int before = database.count();
        for (int i = 0; i < 50; i++) {
            cache.getAsync(i);
            cache.getAsync(i);
        }
        world.pass(seconds(6));
        assertThat(database.count() - before).isEqualTo(50);
        assertThat(database.most).isLessThanOrEqualTo(2);
        for (int i = 0; i < 50; i++) {
            assertThat(cache.getIfPresent(i)).isNotNull();
        }
    }

    /** FAULTS B-2: the connection breaks just before the lease is given up. */
    @Test
    void aLeaseThatCouldNotBeReleasedEndsByItself() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        database.fails = new IllegalStateException("sick");
        database.meanwhile = () -> store.become(FlakyStore.State.DOWN);
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
        database.fails = null;
        long before = world.now();

        assertThat(other.get("k")).isEqualTo("v1");
        assertThat(Duration.ofNanos(world.now() - before)).isLessThan(seconds(2.5));
    }

    /** FAULTS C-14: each style of reading during an outage. */
    @Test
    void everyStyleOfReadingWorksWithoutTheStore() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.DOWN);

        assertThat(cache.get("a")).isEqualTo("v1");
        assertThat(cache.lookup("b").value()).isEqualTo("v1");
        CompletableFuture<String> async = cache.getAsync("c");
        world.settle();
        assertThat(async).isCompletedWithValue("v1");
        assertThat(cache.getAll(List.of("d", "e"))).hasSize(2);
        assertThat(cache.getIfPresent("f")).isNull();
        assertThat(cache.getIfReady("g").outcome()).isEqualTo(Outcome.PENDING);
        CompletableFuture<String> refreshed = cache.refresh("h");
        world.settle();
        assertThat(refreshed).isCompletedWithValue("v1");
    }

    @Test
    void aListenerThatThrowsDoesNotKeepTheBreakerOpen() {
        Cache<String, String> cache = node().build(database);
        store.breaker().listen(new dev.corral.spi.Breaker.Listener() {
            @Override
            public void opened(String why) {
                throw new IllegalStateException("opened");
            }

            @Override
            public void recovered() {
                throw new IllegalStateException("recovered");
            }
        });
        store.become(FlakyStore.State.DOWN);
        cache.get("k");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));

        assertThat(store.breaker().allows()).isTrue();
    }

    @Test
    void aStoreThatComesBackIsUsedAgain() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.DOWN);
        cache.get("k");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(3));
        cache.get("k");
        cache.get("k");

        assertThat(database.count()).isEqualTo(2);
        assertThat(store.breaker().allows()).isTrue();
    }

    /** FAULTS B: one key without bytes must not keep the writes of all others from being replayed. */
    @Test
    void aKeyThatHasNoBytesIsRefusedAtTheDoorAlsoDuringAnOutage() {
        ByteStore bytes = new ByteStore(store);
        Cache<String, String> cache = Corral.newBuilder("c")
                .platform(platform)
                .store(bytes)
                .expireAfterWrite(TTL)
                .keyCodec(KeyCodec.of(String.class))
                .codec(ByteStore.TEXT)
                .build(database);
        store.become(FlakyStore.State.DOWN);
        String unpaired = "bad\ud800";

        assertThatThrownBy(() -> cache.invalidate(unpaired)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.put(unpaired, "v")).isInstanceOf(IllegalArgumentException.class);
        cache.invalidate("k");

        assertThat(cache.stats().queuedWrites()).isEqualTo(1);
        store.become(FlakyStore.State.UP);
        world.pass(seconds(5));
        assertThat(cache.stats().queuedWrites()).isZero();
    }

    /** Should a key's codec change its mind, everything is invalidated instead: that includes the key. */
    @Test
    void aKeyThatCannotBeReplayedBecomesAnInvalidationOfEverything() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        other.get("k");
        store.become(FlakyStore.State.DOWN);
        cache.invalidate("k");
        store.refuseKey("k");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(5));

        assertThat(cache.stats().queuedWrites()).isZero();
        assertThat(other.getIfPresent("k")).isNull();
    }

    /** The store acknowledges, breaks, and comes back without it, all before the caller has seen the answer. */
    @Test
    void anAcknowledgedInvalidationWhoseConnectionBreaksAtOnceIsReplayed() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        store.answerLate(millis(10));
        platform.delays().after(millis(9).toNanos(), () -> {
            store.breaker().open("connection lost");
            store.become(FlakyStore.State.DOWN);
        });
        cache.invalidate("k");
        store.answerLate(null);

        assertThat(cache.stats().queuedWrites()).isEqualTo(1);
        otherNode().build(database).put("k", "what the replica still had");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(5));
        assertThat(cache.stats().queuedWrites()).isZero();
        assertThat(cache.getIfPresent("k")).isNull();
    }

    @Test
    void aFullStoreDoesNotMakeEarlyRefreshesLoadForNothing() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(2);
        cache.get("k");
        world.dice(0);
        world.pass(seconds(45));
        store.become(FlakyStore.State.FULL);
        for (int i = 0; i < 20; i++) {
            assertThat(cache.get("k")).isEqualTo("v1");
            world.pass(millis(10));
        }

        assertThat(database.count()).isEqualTo(1);
        assertThat(cache.stats().refreshesRefused()).isEqualTo(1);
    }

    /** Nobody knows whether an invalidation came between: those who joined while it was loaded may not share it. */
    @Test
    void aLoadWhoseCommitIsNotAnsweredDoesNotServeThoseWhoCameWhileItRan() {
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        List<CompletableFuture<String>> late = new ArrayList<>();
        database.meanwhile = () -> {
            otherNode().build(database).invalidate("k");
            store.mute(true);
            database.row = "v2";
            late.add(cache.getAsync("k"));
            world.settle();
            store.become(FlakyStore.State.FULL, step -> step.equals("commit"));
        };

        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(seconds(2));

        assertThat(late.get(0)).isCompletedWithValue("v2");
    }

    /** A store that refuses the commit keeps the lease; it must not make the next callers wait for its end. */
    @Test
    void aLoadWhoseCommitIsRefusedGivesItsLeaseUp() {
        Cache<String, String> cache = node().build(database);
        database.meanwhile = () -> store.become(FlakyStore.State.FULL, step -> step.equals("commit"));
        cache.get("k");
        store.become(FlakyStore.State.UP);
        long began = world.now();

        assertThat(otherNode().build(database).get("k")).isEqualTo("v1");
        assertThat(world.now()).isEqualTo(began);
    }

    @Test
    void aCacheBuiltDuringAnOutageIsToldWhy() {
        store.breaker().open("the plug was pulled");
        CacheBuilder<Object, Object> builder = node();
        List<CacheEvent> events = recordEvents(builder);
        builder.build(database);

        assertThat(events).contains(new CacheEvent.StoreLost("c", "the plug was pulled"));
    }

    @Test
    void aProbeThatIsNeverAnsweredIsFollowedByAnother() {
        List<CompletableFuture<Boolean>> probes = new ArrayList<>();
        Breaker breaker = new Breaker(platform, () -> {
            CompletableFuture<Boolean> probe = new CompletableFuture<>();
            probes.add(probe);
            return probe;
        });
        breaker.open("lost");
        world.pass(seconds(12));

        assertThat(probes).hasSizeGreaterThan(1);
        probes.get(probes.size() - 1).complete(true);
        assertThat(breaker.allows()).isTrue();
    }

    @Test
    void aClosedStoreIsOneInOutageForItsCaches() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        store.close();

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.invalidate("k")).isEqualTo(Delivery.QUEUED);
        assertThat(database.count()).isEqualTo(2);
        world.pass(seconds(60));
        assertThat(store.breaker().allows()).isFalse();
        assertThat(world.pendingTimers()).isZero();
    }

    /** A replay is a write too: the server that carried it out may be lost in its turn. */
    @Test
    void aReplayedInvalidationIsReplayedAgainAfterTheNextLoss() {
        Cache<String, String> cache = node().build(database);
        store.become(FlakyStore.State.DOWN);
        cache.get("other"); // notices
        cache.invalidate("k");
        store.become(FlakyStore.State.UP);
        world.pass(seconds(5));
        assertThat(cache.stats().queuedWrites()).isZero();

        otherNode().build(database).put("k", "what the replica still had");
        store.breaker().open("failed over");

        assertThat(cache.stats().queuedWrites()).isEqualTo(1);
        world.pass(seconds(5));
        assertThat(cache.getIfPresent("k")).isNull();
    }

    /** News may have been lost with the answer: the near tier counts from before the load, not from its end. */
    @Test
    void aLoadWhoseCommitIsNotAnsweredIsNearForLess() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        database.takes = seconds(3);
        database.meanwhile = () -> store.become(FlakyStore.State.FULL, step -> step.equals("commit"));
        cache.get("k");
        store.become(FlakyStore.State.UP);
        assertThat(cache.getIfPresent("k")).isEqualTo("v1");
        world.pass(seconds(2.1));

        assertThat(cache.getIfPresent("k")).isNull();
    }

    /** A listener that dawdles: the store has recovered before another cache hears that it was lost. */
    @Test
    void aLossThatIsHeardOfAfterTheRecoveryIsReplayedToo() {
        CacheBuilder<Object, Object> slow = node();
        slow.on(CacheEvent.StoreLost.class, lost -> world.pass(millis(200)));
        slow.build(database);
        Cache<String, String> second = Corral.newBuilder("d")
                .platform(platform)
                .store(store)
                .expireAfterWrite(TTL)
                .build(database);
        second.put("k", "put");
        store.breaker().open("connection broke");
        world.pass(seconds(5));

        assertThat(second.stats().queuedWrites()).isZero();
        second.get("k");
        second.get("k");
        assertThat(database.count()).isEqualTo(1);
    }

    /** The permit comes when the store is back: what another node has stored meanwhile is not loaded again. */
    @Test
    void aLoadThatHasQueuedThroughAnOutageAsksTheStoreFirst() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache =
                node().limit(limiter).waitTimeout(seconds(60)).build(database);
        store.become(FlakyStore.State.DOWN);
        CompletableFuture<String> read = cache.getAsync("k");
        world.pass(seconds(2));
        store.become(FlakyStore.State.UP);
        otherNode().build((String key) -> "other").get("k");
        world.pass(seconds(5));
        limiter.permits.release();
        world.pass(seconds(1));

        assertThat(read).isCompletedWithValue("other");
        assertThat(database.count()).isZero();
        assertThat(limiter.running()).isZero();
    }

    private Cache<String, String> withoutLeaseBehind(LoadLimiter limiter) {
        return node().who(Strategy.Who.PROCESS)
                .limit(limiter)
                .waitTimeout(seconds(60))
                .build(database);
    }

    /** Both have queued through the outage; without a lease only this process keeps the two apart. */
    @Test
    void aFlightThatAnInvalidationHasReplacedInTheQueueLeavesTheLoadToItsSuccessor() {
        LoadLimiter limiter = taken(2);
        Cache<String, String> cache = withoutLeaseBehind(limiter);
        store.become(FlakyStore.State.DOWN);
        CompletableFuture<String> before = cache.getAsync("k");
        cache.invalidate("k");
        CompletableFuture<String> after = cache.getAsync("k");
        world.pass(seconds(2));
        store.become(FlakyStore.State.UP);
        world.pass(seconds(5));
        database.takes = seconds(1);
        limiter.permits.release();
        limiter.permits.release();
        world.pass(seconds(2));

        assertThat(before).isCompletedWithValue("v1");
        assertThat(after).isCompletedWithValue("v1");
        assertThat(database.queries).containsExactly("k");
        assertThat(limiter.running()).isZero();
    }

    /** It is detached and has no successor: those who come while it loads need no other. */
    @Test
    void aFlightThatAnInvalidationHasDetachedInTheQueueIsJoinedOnceItHasAskedAgain() {
        LoadLimiter limiter = taken(2);
        Cache<String, String> cache = withoutLeaseBehind(limiter);
        CompletableFuture<String> before = cache.getAsync("k");
        cache.invalidate("k");
        List<CompletableFuture<String>> after = new ArrayList<>();
        database.takes = seconds(1);
        database.meanwhile = () -> after.add(cache.getAsync("k"));
        limiter.permits.release();
        limiter.permits.release();
        world.pass(seconds(2));

        assertThat(before).isCompletedWithValue("v1");
        assertThat(after).hasSize(1).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("v1"));
        assertThat(database.queries).containsExactly("k");
        assertThat(limiter.running()).isZero();
    }
}
