package dev.corral.simulator;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A step of the lease protocol as a message, so that it can travel, wait, be lost and be done again. */
sealed interface Step<T> {

    CompletionStage<T> on(Region<String> region);

    /** True if the store is another one afterwards, or may be. */
    default boolean changes() {
        return true;
    }

    /** True if it must have no effect once its sender has given up. */
    default boolean isVoidWhenLate() {
        return false;
    }

    record Read(List<String> keys) implements Step<Map<String, Reading>> {
        @Override
        public CompletionStage<Map<String, Reading>> on(Region<String> region) {
            return region.readAll(keys);
        }

        @Override
        public boolean changes() {
            return false;
        }
    }

    record Acquire(
            String key,
            Token token,
            Duration lease,
            @Nullable Token known) implements Step<Acquisition> {
        @Override
        public CompletionStage<Acquisition> on(Region<String> region) {
            return region.acquire(key, token, lease, known);
        }

        @Override
        public boolean isVoidWhenLate() {
            return true;
        }
    }

    record Renew(String key, Token token, Duration lease) implements Step<Boolean> {
        @Override
        public CompletionStage<Boolean> on(Region<String> region) {
            return region.renew(key, token, lease);
        }
    }

    record Commit(String key, Grant grant, Draft draft) implements Step<Committed> {
        @Override
        public CompletionStage<Committed> on(Region<String> region) {
            return region.commit(key, grant, draft);
        }
    }

    record Fail(String key, Grant grant, Duration backOff, String reason) implements Step<Void> {
        @Override
        public CompletionStage<Void> on(Region<String> region) {
            return region.fail(key, grant, backOff, reason);
        }
    }

    record Put(String key, Token token, Draft draft) implements Step<Void> {
        @Override
        public CompletionStage<Void> on(Region<String> region) {
            return region.put(key, token, draft);
        }

        @Override
        public boolean isVoidWhenLate() {
            return true;
        }
    }

    record Touch(String key) implements Step<Touched> {
        @Override
        public CompletionStage<Touched> on(Region<String> region) {
            return region.touch(key);
        }
    }

    record Invalidate(List<String> keys) implements Step<Void> {
        @Override
        public CompletionStage<Void> on(Region<String> region) {
            return region.invalidate(keys);
        }
    }

    record InvalidateAll() implements Step<Void> {
        @Override
        public CompletionStage<Void> on(Region<String> region) {
            return region.invalidateAll();
        }
    }
}
