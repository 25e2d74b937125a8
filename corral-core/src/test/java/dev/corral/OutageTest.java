package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
