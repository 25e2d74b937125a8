package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.spi.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The lease's life: renewal, loss, a leader that dies, a load that hangs. */
class LeaseTest extends WorldTest {

    /** FAULTS B-1, B-21, C-6: the owner is killed while it loads. */
    @Test
    void callersAreServedSoonAfterALeaderDied() {
        hold("k", seconds(2));
        Cache<String, String> cache = node().build(database);
        long before = world.now();

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(Duration.ofNanos(world.now() - before)).isBetween(seconds(1.9), seconds(2.5));
        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS B-6: a load three times as long as its lease; promise 1. */
    @Test
    void theLeaseIsRenewedWhileTheLoaderRuns() {
        Cache<String, String> cache = node().lease(millis(300)).build(database);
        Cache<String, String> other = otherNode().lease(millis(300)).build(database);
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        database.meanwhile = () -> answers.add(other.getAsync("k"));

        assertThat(cache.get("k")).isEqualTo("v1");

        world.settle();
        assertThat(answers.get(0)).isCompletedWithValue("v1");
        assertThat(database.count()).isEqualTo(1);
        assertThat(store.steps()).filteredOn("renew"::equals).hasSizeBetween(8, 12);
        assertThat(cache.stats().leasesLost()).isZero();
    }

    /** FAULTS C-4: a waiter on another node is woken by the announcement, not by its poll. */
    @Test
    void aWaiterOnAnotherNodeIsWokenAtOnce() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other =
                otherNode().pollInterval(seconds(2)).lease(seconds(10)).build(database);
        database.takes = millis(300);
        long[] served = {0};
        long before = world.now();
        database.meanwhile = () -> other.getAsync("k").thenRun(() -> served[0] = world.now());

        cache.get("k");
        world.pass(seconds(3));

        assertThat(Duration.ofNanos(served[0] - before)).isBetween(millis(300), millis(301));
    }

    /** The announcement is lost: the poll finds the value. */
    @Test
    void aWaiterPollsWhenItHearsNothing() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        otherStore.mute(true);
        database.takes = seconds(1);
        long[] served = {0};
        long before = world.now();
        database.meanwhile = () -> other.getAsync("k").thenRun(() -> served[0] = world.now());

        cache.get("k");
        world.pass(seconds(3));

        assertThat(Duration.ofNanos(served[0] - before)).isBetween(seconds(1), seconds(1.26));
        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS B-16: how often a waiter asks while it waits. */
    @Test
    void aWaiterDoesNotSpin() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        database.takes = seconds(10);
        database.meanwhile = () -> other.getAsync("k");

        cache.get("k");

        assertThat(otherStore.steps()).hasSizeLessThanOrEqualTo(10 * 4 + 3);
    }

    /** FAULTS B-5, B-8, B-12: the lease is lost while loading, another node loads and stores; the late one must not win. */
    @Test
    void aLoadThatLostItsLeaseDoesNotOverwriteALaterOne() {
        CacheBuilder<Object, Object> builder = node().lease(millis(300));
        var events = recordEvents(builder);
        Cache<String, String> slow = builder.build(database);
        Cache<String, String> other = otherNode().lease(millis(300)).build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> {
            store.become(FlakyStore.State.DEAF_ANSWERS, "none"::equals);
            store.become(FlakyStore.State.FROZEN, "renew"::equals); // renewals do not get through
            world.pass(millis(500));
            database.row = "v2";
            database.takes = millis(100);
            assertThat(other.get("k")).isEqualTo("v2");
            database.takes = seconds(1);
        };

        assertThat(slow.get("k")).as("its caller began before the second load").isEqualTo("v1");

        store.become(FlakyStore.State.UP);
        assertThat(database.count()).isEqualTo(2);
        assertThat(slow.stats().commitsRejected()).isEqualTo(1);
        assertThat(slow.stats().leasesLost()).isEqualTo(1);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.LeaseLost.class);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.CommitRejected.class);
        assertThat(slow.get("k")).isEqualTo("v2");
        assertThat(other.get("k")).isEqualTo("v2");
    }

    /** FAULTS B-7: losing the lease is not the caller's error. */
    @Test
    void aLoadThatLostItsLeaseToNobodyStillFillsTheCache() {
        Cache<String, String> cache = node().lease(millis(300)).build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> store.become(FlakyStore.State.FROZEN, "renew"::equals);

        assertThat(cache.get("k")).isEqualTo("v1");

        store.become(FlakyStore.State.UP);
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS C-7: a loader that hangs. */
    @Test
    void aHungLoadIsInterruptedAndLosesItsProtection() {
        CacheBuilder<Object, Object> builder =
                node().maximumLoadTime(seconds(5)).waitTimeout(seconds(20));
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        database.takes = seconds(30);
        CompletableFuture<String> answer = cache.getAsync("k");
        boolean[] failedInTime = {false};
        database.meanwhile = () -> {
            world.pass(seconds(5));
            failedInTime[0] = answer.isCompletedExceptionally();
            database.takes = seconds(1);
            world.pass(seconds(1.1)); // the back-off
            Cache<String, String> other = otherNode().build(database);
            assertThat(other.get("k")).isEqualTo("v1");
        };
        world.pass(seconds(60));

        assertThat(failedInTime[0]).isTrue();
        assertThat(database.interrupted).isTrue();
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(LoadTimeoutException.class)
                .hasMessageContaining("ran past the maximum load time of 5000 ms");
        assertThat(cache.stats().loadsOverdue()).isEqualTo(1);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.LoadOverdue.class);
        assertThat(database.count()).isEqualTo(2);
    }

    @Test
    void aLoadThatIgnoresItsInterruptionKeepsItsPermit() {
        LoadLimiter limiter = LoadLimiter.of(1, 0);
        Cache<String, String> cache =
                node().limit(limiter).maximumLoadTime(seconds(5)).build(database);
        database.takes = seconds(30);
        cache.getAsync("k");
        int[] running = {0};
        database.meanwhile = () -> {
            world.pass(seconds(10));
            running[0] = limiter.running();
            assertThatThrownBy(() -> cache.get("other")).isInstanceOf(LoadRejectedException.class);
        };
        world.pass(seconds(60));

        assertThat(running[0]).isEqualTo(1);
        assertThat(limiter.running()).isZero();
    }

    @Test
    void aLoadSlowerThanItsMaximumStillFillsTheCacheIfNothingInvalidatedIt() {
        Cache<String, String> cache = node().maximumLoadTime(seconds(5)).build(database);
        database.takes = seconds(7);
        cache.getAsync("k");
        world.pass(seconds(8));

        assertThat(cache.getIfPresent("k")).isEqualTo("v1");
    }

    @Test
    void aLeaderWhoseOwnThreadLoadsGetsItsValueHoweverLate() {
        Cache<String, String> cache =
                node().maximumLoadTime(seconds(5)).waitTimeout(seconds(1)).build(database);
        database.takes = seconds(7);

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(Thread.interrupted()).as("the interruption was the load's").isFalse();
    }

    /** A change event arrives while the key is loaded: the load's value may be too old, so there is another. */
    @Test
    void aDirtyMarkMakesTheLoadRunOnceMore() {
        Cache<String, String> cache = node().build(database);
        Region<String> events = region();
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            events.touch("k");
        };

        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(seconds(1));

        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(2);
    }

    /** The answer that says so is lost; the commit is repeated, and says it again. */
    @Test
    void aChangeDuringALoadIsLoadedAlsoIfTheCommitIsNotAnswered() {
        Region<String> events = region();
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            events.touch("k");
            store.become(FlakyStore.State.DEAF_ANSWERS, step -> step.equals("commit"));
        };
        platform.delays().after(seconds(1.5).toNanos(), () -> store.become(FlakyStore.State.UP));

        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(seconds(2));

        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(2);
    }

    /** Not even the repetition is answered: whether the source has changed stays unknown, so the key is invalidated. */
    @Test
    void aChangeDuringALoadIsLoadedAlsoIfTheStoreIsLostWithTheCommit() {
        Region<String> events = region();
        Cache<String, String> cache = node().build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            events.touch("k");
            store.become(FlakyStore.State.DEAF_ANSWERS);
        };
        platform.delays().after(seconds(4.5).toNanos(), () -> store.become(FlakyStore.State.UP));

        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(seconds(20));

        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(cache.stats().queuedWrites()).isZero();
    }

    @Test
    void afterAllCallersOfAWaitingNodeHaveLeftItStopsAsking() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().waitTimeout(seconds(1)).build(database);
        database.takes = seconds(10);
        database.meanwhile = () -> assertThatThrownBy(() -> other.get("k")).isInstanceOf(WaitTimeoutException.class);

        cache.get("k");

        assertThat(otherStore.steps()).hasSizeLessThan(8);
        world.settle();
        assertThat(world.pendingTimers()).isZero();
    }

    /** Two nodes' loaders may wait for each other: the inner wait is capped, then it loads without storing. */
    @Test
    void aLoaderThatWaitsForAnothersLoadIsCappedAndLoadsForItself() {
        hold("inner", seconds(60));
        List<Cache<String, String>> self = new ArrayList<>();
        List<String> loaded = new ArrayList<>();
        Cache<String, String> cache = node().build((String key) -> {
            loaded.add(key);
            return key.equals("outer") ? "outer of " + self.get(0).get("inner") : "inner";
        });
        self.add(cache);
        long before = world.now();

        assertThat(cache.get("outer")).isEqualTo("outer of inner");

        assertThat(Duration.ofNanos(world.now() - before)).isEqualTo(seconds(1));
        assertThat(loaded).containsExactly("outer", "inner");
        assertThat(cache.getIfPresent("outer")).isEqualTo("outer of inner");
        assertThat(cache.getIfPresent("inner"))
                .as("loaded without the lease, so not stored")
                .isNull();
    }

    /** While a load queues for a permit here, another node with a permit free may have the key. */
    @Test
    void aLeaseIsNotRenewedWhileItsLoadQueuesForAPermit() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache =
                node().limit(limiter).waitTimeout(seconds(60)).build(database);
        Cache<String, String> other = otherNode().build((String key) -> "other");
        List<String> seen = new ArrayList<>();
        platform.delays().after(seconds(5).toNanos(), () -> seen.add(other.get("k")));
        long began = world.now();

        assertThat(cache.get("k")).isEqualTo("other");

        assertThat(seen).containsExactly("other");
        assertThat(world.now() - began)
                .as("at the other's announcement")
                .isEqualTo(seconds(5).toNanos());
        assertThat(limiter.queued()).isZero();
        assertThat(store.steps()).doesNotContain("renew");
    }

    @Test
    void aLoadWhosePermitComesLateAsksForItsLeaseAgain() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache =
                node().limit(limiter).waitTimeout(seconds(60)).build(database);
        platform.delays().after(seconds(5).toNanos(), limiter.permits::release);
        database.takes = seconds(3);

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(store.steps()).filteredOn("acquire"::equals).hasSize(2);
        assertThat(cache.stats().leasesLost()).isZero();
        assertThat(limiter.running()).isZero();
    }

    /** The permit comes when another node has taken the lapsed lease: it is given back, not held for a stranger's load. */
    @Test
    void aLoadWhoseLeaseHasGoneToAnotherGivesItsPermitBack() {
        LoadLimiter limiter = taken(1);
        Cache<String, String> cache =
                node().limit(limiter).waitTimeout(seconds(60)).build(database);
        platform.delays().after(seconds(4).toNanos(), () -> hold("k", seconds(5)));
        platform.delays().after(seconds(5).toNanos(), limiter.permits::release);
        List<Integer> running = new ArrayList<>();
        platform.delays().after(seconds(6).toNanos(), () -> running.add(limiter.running()));

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(running).containsExactly(0);
        assertThat(database.count()).isEqualTo(1);
        assertThat(limiter.running()).isZero();
    }

    /** FAULTS: a change event must not be lost because the second load cannot be had. */
    @Test
    void aDirtyValueWhoseReloadIsRefusedIsInvalidated() {
        LoadLimiter limiter = LoadLimiter.of(1);
        Cache<String, String> cache =
                node().limit(limiter).near(near -> near.maximumSize(10)).build(database);
        Region<String> events = region();
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            events.touch("k");
            cache.getAsync("other"); // is next in the limiter's queue
            world.settle();
        };

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.stats().refreshesRefused()).isEqualTo(1);
        world.pass(seconds(2));

        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** A lease counts from its question. One that is a third over when the answer comes is renewed at once, and used. */
    @Test
    void aSlowStoreDelaysALoadAndDoesNotPreventIt() {
        LoadLimiter limiter = LoadLimiter.of(1);
        Cache<String, String> cache = node().limit(limiter).build(database);
        store.answerLate(millis(700));
        database.takes = seconds(5);

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(store.steps()).filteredOn("acquire"::equals).hasSize(1);
        assertThat(cache.stats().leasesLost()).isZero();
        assertThat(limiter.running()).isZero();
        world.pass(seconds(2));
        assertThat(world.pendingTimers()).isZero();
    }

    /** The answer was on its way for longer than the lease lasts: another node has it, and loads. */
    @Test
    void aGrantThatComesWhenItsLeaseIsOverIsAskedForAgain() {
        Cache<String, String> cache =
                node().storeTimeout(seconds(10)).waitTimeout(seconds(60)).build(database);
        Cache<String, String> other = otherNode().build(database);
        database.takes = seconds(3);
        store.answerLate(seconds(2.5));

        CompletableFuture<String> late = cache.getAsync("k");
        world.pass(seconds(2.6));
        store.answerLate(null);
        world.pass(seconds(2));
        database.row = "v2";
        CompletableFuture<String> quick = other.getAsync("k");
        world.pass(seconds(20));

        assertThat(late).isCompletedWithValue("v2");
        assertThat(quick).isCompletedWithValue("v2");
        assertThat(database.queries).hasSize(1);
        assertThat(cache.stats().leasesLost()).isZero();
    }

    /** A store that is that slow always must not keep anybody from loading. */
    @Test
    void aStoreWhoseAnswersAlwaysOutlastTheLeaseIsNotAskedForEver() {
        Cache<String, String> cache = node().storeTimeout(seconds(10))
                .waitTimeout(seconds(60))
                .maximumLoadTime(seconds(60))
                .build(database);
        store.answerLate(seconds(2.5));

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(store.steps()).filteredOn("acquire"::equals).hasSize(3);
    }

    /** The maximum counts from when the loader begins, and so does the renewal. */
    @Test
    void aLeaseIsRenewedForALoadThatBeganLate() {
        Cache<String, String> cache = node().executor(
                        task -> platform.delays().after(seconds(9).toNanos(), task))
                .waitTimeout(seconds(60))
                .maximumLoadTime(seconds(10))
                .build(database);
        List<String> others = new ArrayList<>();
        Cache<String, String> other = otherNode().waitTimeout(seconds(60)).build((String key) -> {
            others.add(key);
            return "other";
        });
        database.takes = seconds(8);

        CompletableFuture<String> one = cache.getAsync("k");
        CompletableFuture<String> two = other.getAsync("k");
        world.pass(seconds(30));

        assertThat(one).isCompletedWithValue("v1");
        assertThat(two).isCompletedWithValue("v1");
        assertThat(others).isEmpty();
    }

    @Test
    void aChangeThatTheStoreCouldNotBeToldIsToldWhenItIsBack() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        Region<String> events = region();
        database.takes = seconds(1);
        database.meanwhile = () -> {
            database.row = "v2";
            events.touch("k");
            store.become(FlakyStore.State.DOWN, step -> store.steps().contains("commit") && !step.equals("commit"));
        };
        cache.get("k");
        world.pass(seconds(5));
        store.become(FlakyStore.State.UP);
        world.pass(seconds(10));

        assertThat(other.get("k")).isEqualTo("v2");
    }
}
