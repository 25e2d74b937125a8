package dev.corral;

import static dev.corral.Callers.until;
import static dev.corral.Callers.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real threads on real time: who runs the loader, and who shares it. */
class SharedLoadTest {
    private static final int MANY = 200;

    private final Callers callers = new Callers();
    private final AtomicInteger loads = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void stop() {
        gate.countDown();
        callers.close();
    }

    private CacheBuilder<Object, Object> builder() {
        return Corral.newBuilder("shared").expireAfterWrite(Duration.ofMinutes(1));
    }

    private String gated(String key) throws InterruptedException {
        int number = loads.incrementAndGet();
        gate.await();
        return key + number;
    }

    /** FAULTS A-2: the default settings, nothing switched on. */
    @Test
    void twoHundredCallersOfAColdKeyShareOneLoad() throws Exception {
        Cache<String, String> cache = builder().build(this::gated);

        List<CompletableFuture<String>> answers = callers.startAll(MANY, () -> cache.get("k"));
        until(() -> cache.stats().joined() == MANY - 1);
        gate.countDown();

        for (CompletableFuture<String> answer : answers) {
            assertThat(within(answer)).isEqualTo("k1");
        }
        assertThat(loads).hasValue(1);
        assertThat(cache.stats().loads()).isEqualTo(1);
        assertThat(cache.stats().misses()).isEqualTo(MANY);
    }

    /** FAULTS: two library instances, one store. */
    @Test
    void twoInstancesOnOneStoreShareOneLoad() throws Exception {
        MemoryStore store = MemoryStore.create();
        Cache<String, String> one = builder().store(store).build(this::gated);
        Cache<String, String> two = builder().store(store).build(this::gated);

        CompletableFuture<String> first = callers.start(() -> one.get("k"));
        until(() -> loads.get() == 1);
        List<CompletableFuture<String>> others = callers.startAll(20, () -> two.get("k"));
        until(() -> two.stats().joined() == 19);
        gate.countDown();

        assertThat(within(first)).isEqualTo("k1");
        for (CompletableFuture<String> other : others) {
            assertThat(within(other)).isEqualTo("k1");
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void everybodyLoadsWithTheNaiveStrategy() throws Exception {
        Cache<String, String> cache = builder().strategy(Strategy.naive()).build(this::gated);

        List<CompletableFuture<String>> answers = callers.startAll(20, () -> cache.get("k"));
        until(() -> loads.get() == 20);
        gate.countDown();

        for (CompletableFuture<String> answer : answers) {
            within(answer);
        }
        assertThat(loads).hasValue(20);
    }

    @Test
    void oneCallerPerProcessLoadsWithWhoProcess() throws Exception {
        MemoryStore store = MemoryStore.create();
        Cache<String, String> one =
                builder().store(store).who(Strategy.Who.PROCESS).build(this::gated);
        Cache<String, String> two =
                builder().store(store).who(Strategy.Who.PROCESS).build(this::gated);

        List<CompletableFuture<String>> ones = callers.startAll(10, () -> one.get("k"));
        List<CompletableFuture<String>> twos = callers.startAll(10, () -> two.get("k"));
        until(() -> loads.get() == 2);
        until(() -> one.stats().joined() == 9 && two.stats().joined() == 9);
        gate.countDown();

        for (CompletableFuture<String> answer : ones) {
            within(answer);
        }
        for (CompletableFuture<String> answer : twos) {
            within(answer);
        }
        assertThat(loads).hasValue(2);
    }

    /** FAULTS A-3: one slow key must not hold up another. */
    @Test
    void aSlowKeyDoesNotBlockAnotherOne() throws Exception {
        Cache<String, String> cache = builder().build(key -> key.equals("slow") ? gated(key) : key);

        CompletableFuture<String> slow = callers.start(() -> cache.get("slow"));
        until(() -> loads.get() == 1);

        assertThat(within(callers.start(() -> cache.get("fast")))).isEqualTo("fast");
        assertThat(slow).isNotDone();
    }

    /** FAULTS A-5: a hundred distinct cold keys are in their loaders at the same time. */
    @Test
    void distinctColdKeysLoadSideBySide() throws Exception {
        Cache<Integer, String> cache = builder().limit(LoadLimiter.of(100)).build(key -> gated(String.valueOf(key)));

        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<String>> answers = callers.startAll(100, () -> cache.get(next.getAndIncrement()));

        until(() -> loads.get() == 100); // no loader has returned yet
        gate.countDown();
        for (CompletableFuture<String> answer : answers) {
            within(answer);
        }
    }

    @Test
    void aSynchronousLeaderLoadsOnItsOwnThread() {
        Cache<String, Thread> cache = builder().build(key -> Thread.currentThread());

        assertThat(cache.get("k")).isSameAs(Thread.currentThread());
    }

    @Test
    void anAsynchronousLeaderLoadsOnTheExecutor() throws Exception {
        Cache<String, Thread> cache = builder().build(key -> Thread.currentThread());

        assertThat(within(cache.getAsync("k")).getName()).startsWith("corral-worker");
    }

    @Test
    void cancellingOneFutureDoesNotCancelTheLoadOfTheOthers() throws Exception {
        Cache<String, String> cache = builder().build(this::gated);
        CompletableFuture<String> leader = cache.getAsync("k");
        CompletableFuture<String> follower = cache.getAsync("k");
        until(() -> loads.get() == 1);

        leader.cancel(true);
        gate.countDown();

        assertThat(within(follower)).isEqualTo("k1");
        assertThat(leader).isCancelled();
        assertThat(cache.get("k")).isEqualTo("k1");
        assertThat(loads).hasValue(1);
    }

    /** FAULTS D-4, D-3: a pool of one thread, and loaders that read the cache again. */
    @Test
    void chainedLoadsOnAPoolOfOneThreadDoNotDeadlock() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            List<Cache<Integer, Integer>> self = new ArrayList<>();
            Cache<Integer, Integer> cache = builder()
                    .executor(one)
                    .limit(LoadLimiter.of(1))
                    .build(key -> key == 0 ? 0 : 1 + self.get(0).get(key - 1));
            self.add(cache);

            assertThat(within(cache.getAsync(100))).isEqualTo(100);
        } finally {
            one.shutdownNow();
        }
    }

    /** FAULTS D-4: as many callers as the pool has threads, each needing one to load. */
    @Test
    void aPoolFullOfCallersStillLoads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            Cache<Integer, Integer> cache = builder().executor(pool).build(key -> key);
            List<java.util.concurrent.Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int key = i;
                answers.add(pool.submit(() -> cache.get(key)));
            }
            for (int i = 0; i < 4; i++) {
                assertThat(within(answers.get(i))).isEqualTo(i);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** FAULTS D-1: a hundred deep, under a limiter of one permit. */
    @Test
    void nestedLoadsRunUnderTheOuterPermit() {
        List<Cache<Integer, Integer>> self = new ArrayList<>();
        Cache<Integer, Integer> cache = builder()
                .limit(LoadLimiter.of(1, 0))
                .build(key -> key == 0 ? 0 : 1 + self.get(0).get(key - 1));
        self.add(cache);

        assertThat(cache.get(100)).isEqualTo(100);
        assertThat(cache.stats().loads()).isEqualTo(101);
        assertThat(cache.stats().loadsRunning()).isZero();
    }

    /** FAULTS D-1: there is one permit, and the thread that has it. */
    @Test
    void severalNestedLoadsRunUnderTheOuterPermitOneAfterTheOther() {
        List<Cache<String, String>> self = new ArrayList<>();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Cache<String, String> cache = builder().limit(LoadLimiter.of(1, 0)).build(key -> {
            threads.add(Thread.currentThread());
            return key.equals("page")
                    ? String.join(
                            "+", self.get(0).getAll(List.of("a", "b", "c")).values())
                    : key;
        });
        self.add(cache);

        assertThat(cache.get("page")).isEqualTo("a+b+c");
        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(cache.stats().loads()).isEqualTo(4);
        assertThat(cache.stats().loadsRunning()).isZero();
    }

    /** FAULTS C-1, D-5. */
    @Test
    void aLoaderThatReadsItsOwnKeyIsToldTheCycle() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = builder().build(key -> self.get(0).get(key.equals("a") ? "b" : "a"));
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a"))
                .isInstanceOf(RecursiveLoadException.class)
                .hasMessageContaining("shared[a] -> shared[b] -> shared[a]");
    }

    /** FAULTS C-1: the same on a pool thread cannot be seen as a cycle; it must still end. */
    @Test
    void aLoaderThatWaitsForItsOwnKeyOnAnotherThreadEndsAtTheBound() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = builder()
                .waitTimeout(Duration.ofMillis(50))
                .build(key -> within(callers.start(() -> self.get(0).get(key))));
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a"))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("Cache shared")
                .hasMessageContaining("key a")
                .hasMessageContaining("the flight is loading")
                .hasMessageContaining("load limiter 1 of 16 running");
    }

    @Test
    void aFollowerThatIsInterruptedLeavesAndTheLoadGoesOn() throws Exception {
        Cache<String, String> cache = builder().build(this::gated);
        CompletableFuture<String> leader = callers.start(() -> cache.get("k"));
        until(() -> loads.get() == 1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> follower = callers.start(() -> {
            thread.complete(Thread.currentThread());
            try {
                cache.get("k");
                return false;
            } catch (WaitInterruptedException e) {
                return Thread.currentThread().isInterrupted();
            }
        });
        until(() -> cache.stats().joined() == 1);

        within(thread).interrupt();

        assertThat(within(follower)).isTrue();
        gate.countDown();
        assertThat(within(leader)).isEqualTo("k1");
    }

    @Test
    void anInterruptedLeaderLeavesItsLoadToAFollower() throws Exception {
        Cache<String, String> cache = builder().build(this::gated);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<String> leader = callers.start(() -> {
            thread.complete(Thread.currentThread());
            return cache.get("k");
        });
        until(() -> loads.get() == 1);
        CompletableFuture<String> follower = callers.start(() -> cache.get("k"));
        until(() -> cache.stats().joined() == 1);

        within(thread).interrupt();

        until(() -> loads.get() == 2);
        gate.countDown();
        assertThat(within(follower)).isEqualTo("k2");
        assertThatThrownBy(() -> within(leader)).isInstanceOf(CorralException.class);
    }

    /** FAULTS A-13: leaders and followers that come and go as flights end. */
    @Test
    void aKeyThatExpiresAllTheTimeNeverHasTwoLoadersAtOnce() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Cache<String, Integer> cache = builder()
                .expireAfterWrite(Duration.ofMillis(1))
                .build(key -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    return 1;
                });

        List<CompletableFuture<Integer>> answers = callers.startAll(16, () -> {
            for (int i = 0; i < 2_000; i++) {
                cache.get("k");
            }
            return 1;
        });
        for (CompletableFuture<Integer> answer : answers) {
            within(answer);
        }

        assertThat(most).hasValue(1);
        assertThat(cache.stats().loads()).isGreaterThan(1);
        until(() -> cache.stats().loadsRunning() == 0); // a last early refresh may still be on its way
    }

    /** Also when the store answers at once, on the loader's own stack. */
    @Test
    void theKeysOfABatchAreAllLoadedOnTheCallersThread() {
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        Cache<Integer, Integer> cache = builder().build(key -> {
            threads.add(Thread.currentThread());
            return key;
        });
        for (int round = 0; round < 40; round++) {
            List<Integer> keys = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                keys.add(100 * round + i);
            }
            assertThat(cache.getAll(keys)).hasSize(50);
        }

        assertThat(threads).hasSize(2_000).containsOnly(Thread.currentThread());
    }
}
