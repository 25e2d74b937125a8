package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Bypass, ramp, close, listeners, the limiter as callers see it. */
class SwitchTest extends WorldTest {

    @Test
    void aBypassedCacheLoadsAndTouchesNeitherTier() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        cache.get("k");
        store.steps().clear();

        cache.bypass();
        database.row = "v2";

        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(store.steps()).isEmpty();
        assertThat(database.count()).isEqualTo(3);

        cache.rearm();
        assertThat(cache.get("k")).as("the store still has it").isEqualTo("v1");
    }

    @Test
    void aBypassedCacheStillSharesLoadsWithinTheProcess() {
        Cache<String, String> cache = node().build(database);
        cache.bypass();
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(cache.getAsync("k"));
        }
        world.pass(seconds(1));
        assertThat(database.count()).isEqualTo(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("v1"));
    }

    @Test
    void invalidationsReachTheStoreWhileBypassed() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        cache.bypass();
        database.row = "v2";
        assertThat(cache.invalidate("k")).isEqualTo(Delivery.APPLIED);
        cache.rearm();

        assertThat(cache.get("k")).isEqualTo("v2");
    }

    // ---- the ramp

    @Test
    void keysMoveOntoTheCacheLittleByLittle() {
        int[] old = {0};
        Cache<Integer, String> cache = node().rollOut(
                        Instant.ofEpochMilli(platform.time().wallMillis()), seconds(100), (Integer key) -> {
                            old[0]++;
                            return "old";
                        })
                .build((Integer key) -> "new");
        int[] moved = new int[5];
        for (int step = 0; step < 5; step++) {
            for (int key = 0; key < 1_000; key++) {
                moved[step] += "new".equals(cache.get(key)) ? 1 : 0;
            }
            world.pass(seconds(25));
        }
        assertThat(moved[0]).isZero();
        assertThat(moved[1]).isBetween(200, 300);
        assertThat(moved[2]).isBetween(450, 550);
        assertThat(moved[3]).isBetween(700, 800);
        assertThat(moved[4]).isEqualTo(1_000);
        assertThat(old[0]).isEqualTo(5_000 - moved[1] - moved[2] - moved[3] - 1_000);
    }

    @Test
    void allWaysOfReadingFollowTheRamp() {
        Cache<Integer, String> cache = node().rollOut(
                        Instant.ofEpochMilli(platform.time().wallMillis() + 1_000),
                        seconds(100),
                        (Integer key) -> "old")
                .build((Integer key) -> "new");

        assertThat(cache.get(1)).isEqualTo("old");
        assertThat(cache.lookup(1).value()).isEqualTo("old");
        assertThat(cache.getAll(List.of(1, 2))).containsValue("old").doesNotContainValue("new");
        var async = cache.getAsync(1);
        world.settle();
        assertThat(async).isCompletedWithValue("old");
    }

    @Test
    void aCheckedExceptionOfTheOldPathIsWrapped() {
        Cache<Integer, String> cache = node().rollOut(
                        Instant.ofEpochMilli(platform.time().wallMillis()), seconds(100), (Integer key) -> {
                            throw new java.io.IOException("old");
                        })
                .build((Integer key) -> "new");

        assertThatThrownBy(() -> cache.get(1)).isInstanceOf(LoadFailedException.class);
    }

    // ---- the limiter

    @Test
    void whenTheLimitersQueueIsFullCallersFailFastOrGetStale() {
        LoadLimiter limiter = LoadLimiter.of(1, 0);
        Cache<String, String> cache =
                node().limit(limiter).serveStaleOnError(seconds(60)).build(database);
        cache.get("stale");
        world.pass(seconds(61));
        assertThat(limiter.permits.tryAcquire()).isTrue();

        assertThatThrownBy(() -> cache.get("cold"))
                .isInstanceOf(LoadRejectedException.class)
                .hasMessageContaining("all 1 permits of the load limiter are taken and its queue is full");
        assertThat(cache.lookup("stale").outcome()).isEqualTo(Outcome.STALE);
        assertThat(cache.stats().loadsRejected()).isEqualTo(2);

        limiter.permits.release();
        assertThat(cache.get("cold")).as("the lease was given up").isEqualTo("v1");
    }

    @Test
    void oneLimiterBoundsTheCachesThatShareIt() {
        LoadLimiter shared = LoadLimiter.of(2);
        Cache<Integer, String> one = Corral.newBuilder("one")
                .platform(platform)
                .expireAfterWrite(TTL)
                .limit(shared)
                .waitTimeout(seconds(60))
                .build((Integer key) -> database.load("k"));
        Cache<Integer, String> two = Corral.newBuilder("two")
                .platform(platform)
                .expireAfterWrite(TTL)
                .limit(shared)
                .waitTimeout(seconds(60))
                .build((Integer key) -> database.load("k"));
        database.takes = seconds(1);
        for (int i = 0; i < 10; i++) {
            one.getAsync(i);
            two.getAsync(i);
        }
        world.pass(seconds(60));

        assertThat(database.count()).isEqualTo(20);
        assertThat(database.most).isEqualTo(2);
        assertThat(shared.running()).isZero();
    }

    /** A caller that gives up in the queue takes its place with it, and its lease. */
    @Test
    void aCallerWhoseBoundEndsInTheQueueLeavesNothingBehind() {
        LoadLimiter limiter = LoadLimiter.of(1);
        Cache<String, String> cache =
                node().limit(limiter).waitTimeout(seconds(1)).build(database);
        assertThat(limiter.permits.tryAcquire()).isTrue();

        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("the flight is queued")
                .hasMessageContaining("load limiter 1 of 1 running, 1 queued");

        assertThat(limiter.queued()).isZero();
        limiter.permits.release();
        world.settle();
        assertThat(world.pendingTimers()).isZero();
        Cache<String, String> other = otherNode().build(database);
        long before = world.now();
        assertThat(other.get("k")).isEqualTo("v1");
        assertThat(world.now()).as("no lease in the way").isEqualTo(before);
    }

    /** A permit given back may begin somebody else's load here; whatever comes of that, the finished load has ended. */
    @Test
    void anExecutorOutOfThreadsDoesNotHarmTheLoadThatGaveItsPermitBack() {
        boolean[] broken = {false};
        Cache<String, String> cache = node().limit(LoadLimiter.of(1))
                .executor(task -> {
                    if (broken[0]) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    platform.executor().execute(task);
                })
                .build(database);
        database.takes = seconds(1);
        List<CompletableFuture<String>> queued = new ArrayList<>();
        database.meanwhile = () -> {
            queued.add(cache.getAsync("b"));
            world.settle();
            broken[0] = true;
        };

        try {
            cache.get("a");
        } catch (Throwable e) {
            assertThat(e).isInstanceOf(OutOfMemoryError.class);
        }
        broken[0] = false;
        world.pass(seconds(20));

        assertThat(cache.get("a")).isEqualTo("v1");
        assertThat(otherNode().build(database).get("a")).isEqualTo("v1");
    }

    @Test
    void theLimiterChecksItsBounds() {
        assertThatThrownBy(() -> LoadLimiter.of(0)).hasMessage("a limiter needs at least 1 permit, got 0");
        assertThatThrownBy(() -> LoadLimiter.of(1, -1)).hasMessage("a limiter's queue cannot be negative, got -1");
        assertThat(LoadLimiter.of(3).permits()).isEqualTo(3);
    }

    // ---- listeners and close

    @Test
    void aListenerThatThrowsHarmsNobody() {
        List<CacheEvent> heard = new ArrayList<>();
        Cache<String, String> cache = node().onEvent(event -> {
                    throw new IllegalStateException("listener");
                })
                .on(CacheEvent.Loaded.class, heard::add)
                .on(CacheEvent.LoadFailed.class, heard::add)
                .build(database);
        database.takes = seconds(2);

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(heard).containsExactly(new CacheEvent.Loaded("c", "k", seconds(2)));
    }

    @Test
    void aClosedCacheSaysSoAndLeavesNoTimer() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10))
                .strategy(Strategy.external())
                .precompute(job -> job.keys("k"))
                .build(database);
        world.settle();
        cache.close();
        cache.close();

        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(() -> cache.getAll(List.of("k"))).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(() -> cache.getAsync("k")).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(() -> cache.refresh("k")).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(() -> cache.put("k", "v")).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(() -> cache.invalidate("k")).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(cache::invalidateAll).isInstanceOf(CacheClosedException.class);
        assertThatThrownBy(cache::bypass).isInstanceOf(CacheClosedException.class);
        world.settle();
        assertThat(world.pendingTimers()).isZero();
    }

    /** FAULTS G-8: the context of the reading thread goes with the load. */
    @Test
    void theContextOfTheReaderIsCarriedOverToTheExecutor() {
        String[] tenant = {"none"};
        List<String> seen = new ArrayList<>();
        Cache<String, String> cache = node().context(task -> {
                    String captured = tenant[0];
                    return () -> {
                        String before = tenant[0];
                        tenant[0] = captured;
                        try {
                            task.run();
                        } finally {
                            tenant[0] = before;
                        }
                    };
                })
                .build((String key) -> {
                    seen.add(tenant[0]);
                    world.pass(seconds(1));
                    return "v";
                });
        tenant[0] = "acme";
        cache.getAsync("k");
        tenant[0] = "none";
        world.pass(seconds(2));
        tenant[0] = "umbrella";
        world.pass(seconds(50));
        world.dice(0);
        cache.get("k"); // an early refresh
        tenant[0] = "none";
        world.pass(seconds(2));

        assertThat(seen).containsExactly("acme", "umbrella");
    }

    @Test
    void keysMustNotBeNull() {
        Cache<String, String> cache = node().build(database);
        assertThatThrownBy(() -> cache.get(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> cache.put(null, "v")).isInstanceOf(NullPointerException.class);
    }

    /** A saturated executor that runs tasks on the caller: the load that was queued is not the releasing caller's. */
    @Test
    void givingAPermitBackDoesNotRunAnothersLoaderFirst() {
        LoadLimiter limiter = LoadLimiter.of(1);
        Cache<String, String> cache =
                node().executor(Runnable::run).limit(limiter).build(database);
        database.takes = seconds(1);
        database.meanwhile = () -> {
            for (int i = 0; i < 8; i++) {
                cache.getAsync("other" + i);
            }
        };
        long began = world.now();

        cache.get("k");

        assertThat(world.now() - began).isEqualTo(seconds(1).toNanos());
    }
}
