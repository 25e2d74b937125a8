package dev.corral.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.corral.CacheSettings.NearSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The near tier's entries: Caffeine for bound and eviction, and before it one place per hash, because Caffeine's way to an
 * entry is two loads from memory longer. Entries whose places are the same displace each other there, and are found in
 * Caffeine. Nothing is in a place that is not in Caffeine: both are written in Caffeine's own step for the key.
 */
final class NearMap<K, V> {
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(NearEntry[].class);
    private static final int FEWEST_PLACES = 64;
    private static final int MOST_PLACES = 1 << 16;
    private static final int USUAL_PLACES = 1 << 12; // where the bound is a weight

    private final @Nullable NearEntry<V>[] places;
    private final int shift;
    private final Cache<K, NearEntry<V>> all;

    NearMap(NearSettings settings, @Nullable ToIntBiFunction<K, V> weigher, Executor maintenance) {
        // Not on the reader's thread: bookkeeping for eviction would be a sixth of a hit's cost.
        Caffeine<K, NearEntry<V>> bound =
                Caffeine.newBuilder().executor(maintenance).evictionListener(this::evicted);
        long size = USUAL_PLACES;
        if (weigher == null) {
            size = settings.maximumSize();
            bound.maximumSize(size);
        } else {
            bound.maximumWeight(settings.maximumWeight())
                    .weigher((key, near) -> near.value == null ? 1 : weigher.applyAsInt(key, near.value));
        }
        this.places = places((int) Math.max(FEWEST_PLACES, Math.min(MOST_PLACES, size)));
        this.shift = Integer.numberOfLeadingZeros(places.length - 1);
        this.all = bound.build();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> @Nullable NearEntry<V>[] places(int atLeast) {
        return new NearEntry[1 << (Integer.SIZE - Integer.numberOfLeadingZeros(atLeast - 1))];
    }

    /** Leaves no trace in Caffeine's bookkeeping. */
    @Nullable
    NearEntry<V> find(K key) {
        NearEntry<V> near = at(place(key));
        return near != null && key.equals(near.key) ? near : all.policy().getIfPresentQuietly(key);
    }

    /** For the bookkeeping: what is used less is evicted. */
    void used(K key) {
        var unused = all.getIfPresent(key);
    }

    /** Puts the entry in place of the one that its key has, in one step with the question whether it may. */
    void put(K key, NearEntry<V> near, BooleanSupplier allowed) {
        all.asMap().compute(key, (k, old) -> {
            if (!allowed.getAsBoolean()) {
                return old;
            }
            PLACE.setVolatile(places, place(k), near);
            return near;
        });
    }

    /** Waits for a put under way. */
    void remove(K key) {
        all.asMap().compute(key, (k, old) -> {
            vacate(k);
            return null;
        });
    }

    private void evicted(@Nullable K key, @Nullable NearEntry<V> near, RemovalCause cause) {
        if (key != null) {
            vacate(key);
        }
    }

    private void vacate(K key) {
        int place = place(key);
        NearEntry<V> near = at(place);
        if (near != null && key.equals(near.key)) {
            PLACE.compareAndSet(places, place, near, null); // else another key's has just displaced it
        }
    }

    @SuppressWarnings("unchecked")
    private @Nullable NearEntry<V> at(int place) {
        return (NearEntry<V>) PLACE.getVolatile(places, place);
    }

    private int place(Object key) {
        return (key.hashCode() * 0x9E3779B9) >>> shift;
    }
}
