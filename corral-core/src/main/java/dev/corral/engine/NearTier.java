package dev.corral.engine;

import dev.corral.CacheSettings.NearSettings;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The in-process tier, without the expiry of Caffeine, whose clock read would cost as much as the rest of a hit. A fill
 * names the epoch its value belongs to and is refused when an invalidation has come between.
 */
final class NearTier<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(NearTier.class);

    private final @Nullable Supplier<NearMap<K, V>> empty;
    private final long ttl;
    private final Freshness freshness;
    private final Epochs epochs;
    private final HitCounter hits;
    private volatile @Nullable NearMap<K, V> entries;

    NearTier(
            @Nullable NearSettings settings,
            @Nullable ToIntBiFunction<K, V> weigher,
            Freshness freshness,
            Epochs epochs,
            HitCounter hits,
            Executor maintenance) {
        this.empty = settings == null ? null : () -> new NearMap<>(settings, weigher, maintenance);
        this.entries = empty == null ? null : empty.get();
        this.ttl = settings == null ? 0 : settings.expireAfter().toNanos();
        this.freshness = freshness;
        this.epochs = epochs;
        this.hits = hits;
    }

    boolean exists() {
        return empty != null;
    }

    /** Whoever serves what is found says so with {@link #served}. */
    @Nullable
    NearEntry<V> find(K key) {
        NearMap<K, V> now = entries;
        return now == null ? null : now.find(key);
    }

    /** Counts a hit, and has a sample of them told to the bookkeeping: telling takes half as long as the hit itself. */
    void served(K key) {
        if (hits.increment()) {
            NearMap<K, V> now = entries;
            if (now != null) {
                now.used(key);
            }
        }
    }

    /**
     * Takes an entry in, in place of the one it has.
     *
     * @param epoch the key's epoch when the read or load that brought the entry began
     * @param sent when that was: the near tier's time to live counts from there
     */
    void fill(K key, Entry<V> entry, long epoch, long sent) {
        NearMap<K, V> now = entries;
        if (now == null) {
            return;
        }
        NearEntry<V> near = new NearEntry<>(key, entry, sent + ttl, freshness.earlyFrom(entry));
        try {
            // An invalidation raises the epoch first and removes afterwards. Looking and putting is one step here, so
            // that its removal comes before the look, which then refuses, or after the put, which it then undoes.
            now.put(key, near, () -> epochs.of(key) == epoch);
        } catch (RuntimeException e) { // the user's weigher; the value is still good for its callers
            LOG.warn("The weigher of the near tier failed; the entry is not kept there", e);
            now.remove(key);
        }
    }

    void remove(K key) {
        NearMap<K, V> now = entries;
        if (now != null) {
            now.remove(key);
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
