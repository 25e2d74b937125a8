package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
}
