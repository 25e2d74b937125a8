package dev.corral.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.corral.CacheSettings.NearSettings;
import dev.corral.TestSettings;
import dev.corral.spi.Cost;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntBiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fill with what was read before an invalidation, and the invalidation between any two steps of it. */
class NearTierTest {
    private final Epochs epochs = new Epochs();
    private NearTier<Object, Integer> near = tier(new NearSettings(10, -1, Duration.ofSeconds(5)), null);
    private final Entry<Integer> old =
            new Entry<>(1, 0, 1_000_000_000L, 1_000_000_000L, 1_000_000_000L, Cost.UNKNOWN, new Token(1, 1));
    private final SteppedKey key = new SteppedKey();
    private boolean invalidated;
    private boolean seenAfterwards;

    private NearTier<Object, Integer> tier(NearSettings settings, @Nullable ToIntBiFunction<Object, Integer> weigher) {
        return new NearTier<>(
                settings, weigher, new Freshness(TestSettings.defaults()), epochs, new HitCounter(), Runnable::run);
    }

    /** Each step of a fill asks the key for its hash first: the interleavings are counted in these. */
    private final class SteppedKey {
        private int invalidateAt;
        private int steps;
        private boolean stepping;

        @Override
        public int hashCode() {
            if (stepping) {
                stepping = false;
                step();
                stepping = true;
            }
            return 1;
        }

        private void step() {
            if (invalidated) {
                seenAfterwards |= near.find(this) != null;
            } else if (++steps == invalidateAt && !isInsideAtomicStep()) {
                epochs.raise(this);
                near.remove(this);
                invalidated = true;
            }
        }

        /** There an invalidation has to wait for its removal. */
        private boolean isInsideAtomicStep() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().startsWith("lambda$put")));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatWasReadBeforeAnInvalidationIsNotThereAfterItNotEvenForAMoment(int step) {
        long epoch = epochs.of(key);
        key.invalidateAt = step;
        key.stepping = true;
        near.fill(key, old, epoch, 0);
        key.stepping = false;

        assertThat(seenAfterwards).isFalse();
        assertThat(near.find(key) != null)
                .as("kept only if nothing came between")
                .isEqualTo(!invalidated);
    }

    /** The weigher is asked inside of the put, after the look at the epoch and before the entry is there. */
    @Test
    void whatIsPutWhileTheTierIsClearedIsNotThereAfterwards() {
        near = tier(new NearSettings(-1, 10, Duration.ofSeconds(5)), (k, value) -> {
            CompletableFuture.runAsync(() -> {
                        epochs.raiseAll();
                        near.clear();
                    })
                    .join();
            invalidated = true;
            return 1;
        });

        near.fill("key", old, epochs.of("key"), 0);

        assertThat(invalidated).isTrue();
        assertThat(near.find("key")).isNull();
    }

    /** Keys whose places in the front are the same displace each other there, and only there. */
    @Test
    void everyKeyIsFoundHoweverManyShareAPlace() {
        near = tier(new NearSettings(1_000, -1, Duration.ofSeconds(5)), null);
        IntStream.range(0, 1_000).forEach(this::fill);

        assertThat(IntStream.range(0, 1_000)).allMatch(i -> near.find(i) != null);

        near.remove(7);
        assertThat(IntStream.range(0, 1_000)).allMatch(i -> (near.find(i) == null) == (i == 7));
    }

    @Test
    void whatIsEvictedIsNotFoundAnyMore() {
        near = tier(new NearSettings(50, -1, Duration.ofSeconds(5)), null);
        IntStream.range(0, 1_000).forEach(this::fill);

        assertThat(IntStream.range(0, 1_000).filter(i -> near.find(i) != null)).hasSize(50);
    }

    /** Caffeine hears of one hit in sixteen: against one that hears of all. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1_000})
    void aSampleOfTheHitsIsEnoughToKeepWhatIsUsedMore(int size) {
        near = tier(new NearSettings(size, -1, Duration.ofSeconds(5)), null);
        Cache<Object, Integer> all =
                Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
        int ours = 0;
        int theirs = 0;
        Random dice = new Random(1);
        for (int read = 0; read < 200_000; read++) {
            Integer asked =
                    (int) Math.pow(20 * size, dice.nextDouble()); // the n-th most popular is asked for 1/n as often
            if (near.find(asked) != null) {
                near.served(asked);
                ours++;
            } else {
                fill(asked);
            }
            if (all.getIfPresent(asked) != null) {
                theirs++;
            } else {
                all.put(asked, 1);
            }
        }

        assertThat(ours).isGreaterThan(theirs * 97 / 100);
    }

    private void fill(Object asked) {
        near.fill(asked, old, epochs.of(asked), 0);
    }
}
