package dev.corral.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.CacheSettings.NearSettings;
import dev.corral.TestSettings;
import dev.corral.spi.Cost;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntBiFunction;
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
        return new NearTier<>(settings, weigher, new Freshness(TestSettings.defaults()), epochs, Runnable::run);
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
                            frames.anyMatch(frame -> frame.getMethodName().startsWith("lambda$fill")));
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
}
