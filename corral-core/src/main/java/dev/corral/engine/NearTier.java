package dev.corral.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.corral.CacheSettings.NearSettings;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The in-process tier: Caffeine for bound and eviction, without its expiry, whose clock read would cost as much as the
 * rest of a hit. A fill names the epoch its value belongs to and is refused when an invalidation has come between.
 */
final class NearTier<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(NearTier.class);

    private final @Nullable Supplier<Cache<K, NearEntry<V>>> empty;
    private volatile @Nullable Cache<K, NearEntry<V>> entries;
    private final long ttl;
    private final Freshness freshness;
    private final Epochs epochs;

    NearTier(
            @Nullable NearSettings settings,
            @Nullable ToIntBiFunction<K, V> weigher,
            Freshness freshness,
            Epochs epochs,
            Executor maintenance) {
        this.empty = settings == null ? null : () -> build(settings, weigher, maintenance);
        this.entries = empty == null ? null : empty.get();
        this.ttl = settings == null ? 0 : settings.expireAfter().toNanos();
        this.freshness = freshness;
        this.epochs = epochs;
    }

    private static <K, V> Cache<K, NearEntry<V>> build(
            NearSettings settings, @Nullable ToIntBiFunction<K, V> weigher, Executor maintenance) {
        // Not on the reader's thread: bookkeeping for eviction would be a sixth of a hit's cost.
        Caffeine<Object, Object> bound = Caffeine.newBuilder().executor(maintenance);
        if (weigher == null) {
            return bound.maximumSize(settings.maximumSize()).build();
        }
        return bound.maximumWeight(settings.maximumWeight())
                .weigher((K key, NearEntry<V> near) -> near.value == null ? 1 : weigher.applyAsInt(key, near.value))
                .build();
    }

    boolean exists() {
        return empty != null;
    }

    @Nullable
    NearEntry<V> find(K key) {
        Cache<K, NearEntry<V>> now = entries;
        return now == null ? null : now.getIfPresent(key);
    }

    /**
     * Takes an entry in, in place of the one it has.
     *
     * @param epoch the key's epoch when the read or load that brought the entry began
     * @param sent when that was: the near tier's time to live counts from there
     */
    void fill(K key, Entry<V> entry, long epoch, long sent) {
        Cache<K, NearEntry<V>> now = entries;
        if (now == null) {
            return;
        }
        NearEntry<V> near = new NearEntry<>(entry, sent + ttl, freshness.earlyFrom(entry));
        try {
            // An invalidation raises the epoch first and removes afterwards. Looking and putting is one step here, so
            // that its removal comes before the look, which then refuses, or after the put, which it then undoes.
            now.asMap().compute(key, (k, old) -> epochs.of(k) == epoch ? near : old);
        } catch (RuntimeException e) { // the user's weigher; the value is still good for its callers
            LOG.warn("The weigher of the near tier failed; the entry is not kept there", e);
            now.invalidate(key);
        }
    }

    void remove(K key) {
        Cache<K, NearEntry<V>> now = entries;
        if (now != null) {
            now.invalidate(key);
        }
    }

    /**
     * Begins anew instead of emptying, which would not wait for a put under way: what is put now goes where nobody looks
     * any more. Whoever clears has raised the epochs first, so that what looks here from now on is refused.
     */
    void clear() {
        if (empty != null) {
            entries = empty.get();
        }
    }
}
