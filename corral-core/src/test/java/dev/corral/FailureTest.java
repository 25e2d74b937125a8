package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Failed loads: who hears what, and the back-off. */
class FailureTest extends WorldTest {

    @Test
    void uncheckedExceptionsReachAllCallersOfTheProcessAsTheyAre() {
        Cache<String, String> cache = node().build(database);
        IllegalStateException sick = new IllegalStateException("sick");
        database.fails = sick;
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        database.meanwhile = () -> answers.add(cache.getAsync("k"));

        assertThatThrownBy(() -> cache.get("k")).isSameAs(sick);
        world.settle();
        assertThatThrownBy(() -> answers.get(0).join()).hasCause(sick);
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void checkedExceptionsArriveWrapped() {
        Cache<String, String> cache = node().build(database);
        database.fails = new IOException("broken pipe");

        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(LoadFailedException.class)
                .hasMessageContaining("loading key k failed")
                .hasCause(database.fails);
    }

    @Test
    void callersOfOtherNodesGetTheFailuresText() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        database.fails = new IOException("broken pipe");
        database.takes = seconds(1);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        database.meanwhile = () -> answers.add(other.getAsync("k"));

        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(LoadFailedException.class);
        world.settle();

        assertThatThrownBy(() -> answers.get(0).join())
                .cause()
                .isInstanceOf(LoadFailedException.class)
                .hasMessageContaining("its last load failed: java.io.IOException: broken pipe");
        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS C-9: a hundred callers on each of two nodes, for ten seconds, on a sick database. */
    @Test
    void aFailingKeyIsNotLoadedByEachCallerInTurn() {
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        database.fails = new IllegalStateException("sick");

        for (int tick = 0; tick < 100; tick++) {
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> cache.get("k")).isInstanceOf(RuntimeException.class);
                assertThatThrownBy(() -> other.get("k")).isInstanceOf(RuntimeException.class);
            }
            world.pass(millis(100));
        }

        // at 0, 1, 3 and 7 s: the back-off doubles
        assertThat(database.count()).isEqualTo(4);
        assertThat(cache.stats().backOffs() + other.stats().backOffs()).isEqualTo(20_000 - 4);
    }

    @Test
    void theBackOffEndsWithTheFirstSuccess() {
        Cache<String, String> cache = node().backOff(seconds(1), seconds(4)).build(database);
        database.fails = new IllegalStateException("sick");
        for (double at : new double[] {0, 1, 2, 4, 4}) {
            world.pass(seconds(at));
            assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
        }
        database.fails = null;
        world.pass(seconds(4));
        assertThat(cache.get("k")).isEqualTo("v1");

        cache.invalidate("k");
        database.fails = new IllegalStateException("sick again");
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick again");
        database.fails = null;
        world.pass(seconds(1));
        assertThat(cache.get("k")).as("one second again").isEqualTo("v1");
    }

    @Test
    void aBackOffOfZeroLetsTheNextCallerTryAtOnce() {
        Cache<String, String> cache = node().backOff(seconds(0), seconds(0)).build(database);
        database.fails = new IllegalStateException("sick");
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
        database.fails = null;

        assertThat(cache.get("k")).isEqualTo("v1");
    }

    @Test
    void invalidationEndsTheBackOff() {
        Cache<String, String> cache = node().build(database);
        database.fails = new IllegalStateException("sick");
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");
        database.fails = null;

        cache.invalidate("k");

        assertThat(cache.get("k")).isEqualTo("v1");
    }

    /** FAULTS C-11: an exception never becomes "no such row". */
    @Test
    void aFailureIsNeverCachedAsAbsence() {
        Cache<String, String> cache = node().build(database);
        database.fails = new IllegalStateException("sick");
        assertThatThrownBy(() -> cache.get("k")).hasMessage("sick");

        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(LoadFailedException.class);
        assertThat(cache.getIfPresent("k")).isNull();
        assertThat(cache.getIfReady("k").outcome()).isEqualTo(Outcome.PENDING);
    }

    /** FAULTS G-11: errors too, in the foreground and in the background. */
    @Test
    void errorsAreFailuresLikeOthers() {
        boolean[] broken = {false};
        CacheBuilder<Object, Object> builder = node();
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build((String key) -> {
            if (broken[0]) {
                throw new StackOverflowError("deep");
            }
            world.pass(seconds(1));
            return "v1";
        });
        cache.get("k");
        broken[0] = true;
        world.pass(seconds(50));
        world.dice(0);
        assertThat(cache.get("k")).isEqualTo("v1");
        world.settle();
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.LoadFailed.class);
        assertThat(cache.stats().loadFailures()).isEqualTo(1);

        world.pass(seconds(20));
        assertThatThrownBy(() -> cache.get("k")).isInstanceOf(StackOverflowError.class);
        assertThat(cache.stats().loadsRunning()).isZero();
    }

    /** FAULTS B-10: whatever way loads end, nothing is left behind. */
    @Test
    void thousandsOfFailedLoadsLeaveNeitherTimerNorPermitNorLease() {
        LoadLimiter limiter = LoadLimiter.of(2);
        Cache<Integer, String> cache = node().limit(limiter)
                .backOff(seconds(0), seconds(0))
                .build((Integer key) -> {
                    switch (key % 3) {
                        case 0 -> throw new IllegalStateException();
                        case 1 -> throw new InterruptedException();
                        default -> throw new AssertionError();
                    }
                });
        for (int i = 0; i < 10_000; i++) {
            int key = i;
            assertThatThrownBy(() -> cache.get(key)).isNotNull();
            Thread.interrupted();
        }
        assertThat(limiter.running()).isZero();
        assertThat(cache.stats().loadsRunning()).isZero();
        world.settle();
        assertThat(world.pendingTimers()).isZero();
        Cache<Integer, String> other = otherNode().build((Integer key) -> "free");
        for (int i = 0; i < 10_000; i++) {
            assertThat(other.get(i)).isEqualTo("free");
        }
    }

    @Test
    void aValueThatCannotBeEncodedFailsItsCallersAndSaysWhy() {
        Cache<String, String> cache = Corral.newBuilder("c")
                .platform(platform)
                .store(new ByteStore(memory))
                .expireAfterWrite(TTL)
                .codec(new Codec<String>() {
                    @Override
                    public byte[] encode(String value) throws IOException {
                        throw new IOException("no");
                    }

                    @Override
                    public String decode(byte[] bytes) {
                        return "";
                    }
                })
                .build(database);

        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(LoadFailedException.class)
                .hasMessageContaining("the value loaded for key k cannot be encoded");
    }

    /** Continuations do not need the user's executor: what it drops is loads, and those have a watchdog. */
    @Test
    void anExecutorThatDropsTasksCostsABoundAndNothingElse() {
        boolean[] drops = {true};
        Cache<String, String> cache = node().executor(task -> {
                    if (!drops[0]) {
                        platform.executor().execute(task);
                    }
                })
                .maximumLoadTime(seconds(30))
                .build(database);
        store.answerLate(millis(1));
        CompletableFuture<String> read = cache.getAsync("k");
        CompletableFuture<String> reload = cache.refresh("other");
        world.pass(seconds(11));

        assertThatThrownBy(read::join).hasCauseInstanceOf(WaitTimeoutException.class);
        assertThatThrownBy(reload::join).hasCauseInstanceOf(WaitTimeoutException.class);
        drops[0] = false;
        world.pass(seconds(30));
        assertThat(cache.stats().loadsRunning()).isZero();
        assertThat(world.pendingTimers()).isZero();
        assertThat(cache.get("k")).isEqualTo("v1");
    }

    @Test
    void aCompletionExceptionOfTheLoaderArrivesAsItIs() {
        CompletionException own = new CompletionException(new SQLException("boom"));
        Cache<String, String> cache = node().build((String key) -> {
            throw own;
        });

        assertThatThrownBy(() -> cache.get("k")).isSameAs(own);
    }

    /** An early refresh policy of the user's that throws: reads go on, nothing is left behind, it is logged. */
    @Test
    void aPolicyThatThrowsFailsNobody() {
        EarlyRefresh broken = new EarlyRefresh() {
            @Override
            public long windowNanos(Measured entry) {
                throw new ArithmeticException("window");
            }

            @Override
            public boolean due(Measured entry, long remainingNanos, double dice) {
                throw new ArithmeticException("due");
            }
        };
        Cache<String, String> cache =
                node().earlyRefresh(broken).near(near -> near.maximumSize(10)).build(database);
        database.takes = seconds(1);
        List<CompletableFuture<String>> followers = new ArrayList<>();
        database.meanwhile = () -> followers.add(cache.getAsync("k"));

        assertThat(cache.get("k")).isEqualTo("v1");
        world.settle();
        assertThat(followers.get(0)).isCompletedWithValue("v1");
        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(TTL);
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(2);
        world.settle();
        assertThat(world.pendingTimers()).isZero();
    }

    /** Drivers wrap it; the key is not to blame all the same. */
    @Test
    void anInterruptionThatTheLoaderWrapsIsStillOne() {
        Cache<String, String> cache = node().build((String key) -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("query cancelled");
        });

        assertThatThrownBy(() -> cache.get("k")).hasMessage("query cancelled");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(otherNode().build(database).get("k")).as("no back-off").isEqualTo("v1");
    }

    /** On the executor nobody interrupts but its owner: without a back-off the followers would load again at once. */
    @Test
    void anInterruptionOnTheExecutorIsAFailureLikeAnyOther() {
        Cache<String, String> cache = node().build(database);
        database.fails = new InterruptedException("pool shut down");

        CompletableFuture<String> one = cache.getAsync("k");
        CompletableFuture<String> two = cache.getAsync("k");
        world.settle();

        assertThat(one).isCompletedExceptionally();
        assertThat(two).isCompletedExceptionally();
        assertThat(database.count()).isEqualTo(1);
        assertThatThrownBy(() -> cache.get("k")).hasMessageContaining("backs off");
    }

    /** An executor that runs the task on the spot, inside another load: that load's place is given back afterwards. */
    @Test
    void aLoadThatRunsInsideAnotherDoesNotMakeItForgetWhereItIs() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().executor(Runnable::run).build((String key) -> {
            if (key.equals("a")) {
                self.get(0).getIfReady("warm"); // loads inline
                return self.get(0).get("a");
            }
            return key;
        });
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(RecursiveLoadException.class);
    }
}
