package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What callers get past soft expiry, and the soft and hard time-outs. */
class StaleTest extends WorldTest {

    @Test
    void theStaleValueIsServedWhileOneCallerInTheClusterRefreshes() {
        CacheBuilder<Object, Object> builder = node().when(Strategy.When.EXPIRY).serveStaleWhileRefreshing(seconds(30));
        Cache<String, String> cache = builder.build(database);
        Cache<String, String> other = otherNode()
                .when(Strategy.When.EXPIRY)
                .serveStaleWhileRefreshing(seconds(30))
                .build(database);
        cache.get("k");
        database.row = "v2";
        database.takes = seconds(1);
        world.pass(seconds(70));

        Lookup<String> stale = cache.lookup("k");
        assertThat(stale.outcome()).isEqualTo(Outcome.STALE);
        assertThat(stale.value()).isEqualTo("v1");
        assertThat(stale.age()).isEqualTo(seconds(70));
        assertThat(other.lookup("k").outcome()).isEqualTo(Outcome.STALE);

        world.pass(seconds(1));
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(other.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(2);
        assertThat(cache.stats().staleServed()).isEqualTo(1);
    }

    @Test
    void nothingIsServedPastTheStaleWindow() {
        Cache<String, String> cache =
                node().serveStaleWhileRefreshing(seconds(30)).build(database);
        cache.get("k");
        database.row = "v2";
        world.pass(seconds(90));

        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS A-8: fresh-stale, hard-expired and deleted each have one load. */
    @Test
    void inEachStateOneLoadForAllCallers() {
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY)
                .serveStaleWhileRefreshing(seconds(30))
                .build(database);
        cache.get("k");
        database.takes = seconds(1);
        Runnable burst = () -> {
            for (int i = 0; i < 50; i++) {
                cache.getAsync("k");
            }
            world.pass(seconds(2));
        };

        world.pass(seconds(70)); // stale
        burst.run();
        assertThat(database.count()).isEqualTo(2);
        world.pass(seconds(120)); // hard-expired
        burst.run();
        assertThat(database.count()).isEqualTo(3);
        cache.invalidate("k"); // deleted
        burst.run();
        assertThat(database.count()).isEqualTo(4);
    }

    @Test
    void staleOnErrorServesTheOldValueWhenTheLoadFails() {
        Cache<String, String> cache = node().serveStaleOnError(seconds(30)).build(database);
        cache.get("k");
        world.pass(seconds(61));
        database.fails = new IllegalStateException("sick");

        Lookup<String> answer = cache.lookup("k");
        assertThat(answer.outcome()).isEqualTo(Outcome.STALE);
        assertThat(answer.value()).isEqualTo("v1");
        assertThat(cache.get("k")).as("while backing off, too").isEqualTo("v1");
        assertThat(database.count()).isEqualTo(2);

        world.pass(seconds(30));
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
    }

    @Test
    void staleOnErrorAloneIsNotServedWhileALoadSucceeds() {
        Cache<String, String> cache = node().serveStaleOnError(seconds(30)).build(database);
        cache.get("k");
        database.row = "v2";
        world.pass(seconds(61));

        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void theSoftTimeoutServesStaleAndTheLoadFillsTheCache() {
        Cache<String, String> cache =
                node().serveStaleOnError(seconds(30)).softTimeout(millis(200)).build(database);
        cache.get("k");
        world.pass(seconds(61));
        database.row = "v2";
        database.takes = seconds(3);

        CompletableFuture<String> answer = cache.getAsync("k");
        boolean[] soon = {false};
        database.meanwhile = () -> {
            world.pass(millis(200));
            soon[0] = answer.isDone();
        };
        world.pass(seconds(4));

        assertThat(soon[0]).isTrue();
        assertThat(answer).isCompletedWithValue("v1");
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(2);
    }

    /** The store cannot be asked: what the near tier still has is served, and said to be its. */
    @Test
    void aStaleEntryOfTheNearTierSaysWhereItIsFrom() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(120)))
                .serveStaleOnError(seconds(30))
                .softTimeout(millis(200))
                .build(database);
        cache.get("k");
        world.pass(seconds(61));
        store.become(FlakyStore.State.DOWN);
        database.takes = seconds(3);

        List<Lookup<String>> lookups = new ArrayList<>();
        database.meanwhile = () -> lookups.add(cache.lookup("k")); // a follower, until its soft timeout
        cache.getAsync("k");
        world.pass(seconds(3 + 61));
        database.takes = Duration.ZERO;
        database.fails = new IllegalStateException("sick");
        lookups.add(cache.lookup("k"));

        assertThat(lookups).hasSize(2).allSatisfy(lookup -> {
            assertThat(lookup.outcome()).isEqualTo(Outcome.STALE);
            assertThat(lookup.source()).isEqualTo(Source.NEAR);
        });
    }

    @Test
    void theHardTimeoutFailsTheCallerAndTheLoadFillsTheCache() {
        Cache<String, String> cache = node().hardTimeout(millis(500)).build(database);
        database.takes = seconds(3);

        long before = world.now();
        boolean[] failedSoon = {false};
        CompletableFuture<String> answer = cache.getAsync("k");
        database.meanwhile = () -> {
            world.pass(millis(500));
            failedSoon[0] = answer.isCompletedExceptionally();
        };
        world.pass(seconds(4));

        assertThat(failedSoon[0]).isTrue();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(LoadTimeoutException.class);
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
        assertThat(world.now() - before).isLessThan(seconds(5).toNanos());
    }

    @Test
    void withATimeoutSetASynchronousLeaderLoadsOnTheExecutor() {
        Cache<String, Thread> cache = node().hardTimeout(seconds(5)).build(key -> Thread.currentThread());

        assertThat(cache.get("k")).isNotSameAs(Thread.currentThread());
    }

    @Test
    void aFollowerWhoseBoundIsReachedGetsStaleIfAllowed() {
        Cache<String, String> cache =
                node().serveStaleOnError(seconds(30)).waitTimeout(seconds(1)).build(database);
        cache.get("k");
        world.pass(seconds(61));
        database.takes = seconds(5);
        CompletableFuture<String> leader = cache.getAsync("k");
        String[] follower = {null};
        database.meanwhile = () -> follower[0] = cache.get("k");
        world.pass(seconds(6));

        assertThat(follower[0]).isEqualTo("v1");
        assertThat(leader).isCompletedWithValue("v1");
        assertThat(database.count()).isEqualTo(2);
    }

    @Test
    void aFollowerWhoseBoundIsReachedFailsWithTheIncidentReport() {
        CacheBuilder<Object, Object> builder = node().waitTimeout(seconds(1));
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        Cache<String, String> other = otherNode().build(database);
        database.takes = seconds(5);
        database.meanwhile = () -> assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("Cache c: key k was not there after 1000 ms (wait timeout)")
                .hasMessageContaining(
                        "the flight is waiting since 1000 ms with 1 callers, its lease is somebody else's");
        other.get("k");

        assertThat(database.count()).as("never a load of its own").isEqualTo(1);
        assertThat(cache.stats().waitTimeouts()).isEqualTo(1);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.WaitTimedOut.class);
    }

    /** The window closes before the soft timeout: then the caller waits on, it does not fail early. */
    @Test
    void aSoftTimeoutWhoseWindowHasClosedIsNoTimeout() {
        Cache<String, String> cache =
                node().serveStaleOnError(seconds(10)).softTimeout(seconds(2)).build(database);
        cache.get("k");
        world.pass(seconds(69));
        database.takes = seconds(3);
        database.row = "v2";

        CompletableFuture<String> asynchronous = cache.getAsync("k");
        assertThat(cache.get("k")).isEqualTo("v2");
        world.settle();
        assertThat(asynchronous).isCompletedWithValue("v2");
    }

    /** With a hard timeout loads run on the executor, but a loader's own reads load on its thread, under its permit. */
    @Test
    void nestedLoadsUnderAHardTimeoutNeedNoSecondPermit() {
        LoadLimiter limiter = LoadLimiter.of(1);
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().hardTimeout(seconds(5))
                .limit(limiter)
                .build((String key) -> key.equals("a") ? "a" + self.get(0).get("b") : "b");
        self.add(cache);
        long began = world.now();

        assertThat(cache.get("a")).isEqualTo("ab");
        assertThat(world.now()).isEqualTo(began);
        assertThat(limiter.running()).isZero();
    }

    @Test
    void aCycleUnderAHardTimeoutIsToldAsOne() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache =
                node().hardTimeout(seconds(5)).build((String key) -> self.get(0).get(key.equals("a") ? "b" : "a"));
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a"))
                .isInstanceOf(RecursiveLoadException.class)
                .hasMessageContaining("c[a] -> c[b] -> c[a]");
        assertThat(cache.stats().loads() + cache.stats().loadFailures()).isEqualTo(2);
    }

    /** Inside a loader: another node holds the key, this node's permits are taken, and still the caller is bounded. */
    @Test
    void aNestedCallerThatFindsNoPermitForItsOwnLoadEndsAtTheBound() {
        LoadLimiter taken = taken(1);
        hold("b", seconds(60));
        Cache<String, String> inner =
                node().limit(taken).waitTimeout(seconds(3)).build(database);
        Cache<String, String> outer = Corral.newBuilder("outer")
                .platform(platform)
                .expireAfterWrite(TTL)
                .build((String key) -> inner.get("b"));
        long began = world.now();

        assertThatThrownBy(() -> outer.get("a")).isInstanceOf(WaitTimeoutException.class);

        assertThat(world.now() - began).isEqualTo(seconds(3).toNanos());
        assertThat(taken.queued()).isZero();
    }

    @Test
    void aNestedLoadOfItsOwnThatRunsPastTheMaximumFailsItsCaller() {
        hold("b", seconds(60));
        Cache<String, String> inner = node().maximumLoadTime(seconds(5)).build(database);
        Cache<String, String> outer = Corral.newBuilder("outer")
                .platform(platform)
                .expireAfterWrite(TTL)
                .build((String key) -> inner.get("b"));
        database.takes = seconds(7);

        assertThatThrownBy(() -> outer.get("a"))
                .isInstanceOf(LoadTimeoutException.class)
                .hasMessageContaining("loading alone");
    }
}
