package dev.corral.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/** The failure markers of this process: they hold failing keys back while the store cannot. */
final class LocalFailures<K> {
    private final Cache<K, Failure> failures =
            Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();

    /** A failed load. */
    record Failure(long until, int count, String reason) {}

    @Nullable
    Failure live(K key, long now) {
        Failure failure = failures.getIfPresent(key);
        return failure != null && now - failure.until < 0 ? failure : null;
    }

    int count(K key) {
        Failure failure = failures.getIfPresent(key);
        return failure == null ? 0 : failure.count;
    }

    void record(K key, long until, int count, String reason) {
        failures.put(key, new Failure(until, count, reason));
    }

    void forget(K key) {
        failures.invalidate(key);
    }

    void clear() {
        failures.invalidateAll();
    }
}
