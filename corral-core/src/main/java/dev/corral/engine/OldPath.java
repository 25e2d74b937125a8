package dev.corral.engine;

import dev.corral.CacheSettings.RollOut;
import dev.corral.KeyCodec;
import dev.corral.LoadFailedException;
import dev.corral.Loader;
import dev.corral.Lookup;
import dev.corral.Outcome;
import dev.corral.Source;
import dev.corral.spi.StoreClock;
import java.time.Duration;
import java.util.Arrays;

/**
 * What was there before this cache, and which keys are still on it. A key's place between 0 and 1 is a hash of it, the
 * same on all nodes; it moves when the share of the time that has passed reaches its place. The time is the store's, so
 * that nodes need not agree.
 */
final class OldPath<K, V> {
    private final String cache;
    private final long start;
    private final long over;
    private final KeyCodec<K> codec;
    private final Loader<K, V> reader;
    private volatile boolean ended;

    OldPath(String cache, RollOut rollOut, KeyCodec<K> codec, Loader<K, V> reader) {
        this.cache = cache;
        this.start = rollOut.startEpochMillis();
        this.over = rollOut.over().toMillis();
        this.codec = codec;
        this.reader = reader;
    }

    /** True if the key has not moved to the cache yet. */
    boolean has(K key, StoreClock clock, long nanoTime) {
        if (ended) {
            return false;
        }
        double share = (double) (clock.latestMillis(nanoTime) - start) / over;
        ended = share >= 1;
        return place(key) >= share;
    }

    Lookup<V> read(K key) {
        try {
            return new Lookup<>(Outcome.FRESH, reader.load(key), Duration.ZERO, Duration.ZERO, Source.LOAD);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new LoadFailedException("Cache " + cache + ": the old path failed for key " + key, e);
        }
    }

    /** Bytes hash alike in every JVM; mixed, because neighbouring keys have neighbouring hashes. */
    private double place(K key) {
        int hash = Arrays.hashCode(codec.encode(key)) * 0x9E3779B9;
        return (hash >>> 8) * 0x1.0p-24;
    }
}
