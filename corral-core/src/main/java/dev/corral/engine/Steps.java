package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Breaker;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoreException;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The steps of the lease protocol, behind the store's breaker, counted. */
final class Steps<K> {
    private final String cache;
    private final Region<K> region;
    private final Breaker breaker;
    private final Meters meters;
    private final Events events;

    Steps(String cache, Region<K> region, Breaker breaker, Meters meters, Events events) {
        this.cache = cache;
        this.region = region;
        this.breaker = breaker;
        this.meters = meters;
        this.events = events;
    }

    boolean available() {
        return breaker.allows();
    }

    StoreClock clock() {
        return region.clock();
    }

    CompletionStage<Reading> read(K key) {
        return guarded("read", () -> region.read(key));
    }

    CompletionStage<Map<K, Reading>> readAll(Collection<K> keys) {
        return guarded("read", () -> region.readAll(keys));
    }

    CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known) {
        return guarded("acquire", () -> region.acquire(key, token, lease, known));
    }

    CompletionStage<Boolean> renew(K key, Token token, Duration lease) {
        return guarded("renew", () -> region.renew(key, token, lease));
    }

    CompletionStage<Committed> commit(K key, Grant grant, Draft entry) {
        return guarded("commit", () -> region.commit(key, grant, entry));
    }

    CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason) {
        return guarded("fail", () -> region.fail(key, grant, backOff, reason));
    }

    CompletionStage<Void> put(K key, Token token, Draft entry) {
        return guarded("put", () -> region.put(key, token, entry));
    }

    CompletionStage<Void> invalidate(Collection<K> keys) {
        return guarded("invalidate", () -> region.invalidate(keys));
    }

    CompletionStage<Void> invalidateAll() {
        return guarded("invalidateAll", region::invalidateAll);
    }

    private <T> CompletionStage<T> guarded(String step, Supplier<CompletionStage<T>> action) {
        if (!breaker.allows()) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Reason.DISCONNECTED, "the store's breaker is open", null));
        }
        CompletionStage<T> answer;
        try {
            answer = action.get();
        } catch (IllegalArgumentException e) {
            throw e; // the key's codec: the caller's mistake, not the store's trouble
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.whenComplete((value, failure) -> {
            StoreException trouble = Stages.trouble(failure);
            if (trouble == null) {
                breaker.succeeded();
            } else {
                meters.storeFailures.increment();
                breaker.failed(trouble);
                events.tell(() -> new CacheEvent.StoreFailed(cache, step, String.valueOf(trouble.getMessage())));
            }
        });
    }
}
