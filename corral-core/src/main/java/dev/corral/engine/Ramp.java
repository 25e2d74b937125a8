package dev.corral.engine;

import dev.corral.CacheSettings.RollOut;
import dev.corral.KeyCodec;
import dev.corral.spi.StoreClock;
import java.util.Arrays;

/**
 * Which keys are on this cache already. A key's place between 0 and 1 is a hash of it, the same on all nodes; it moves
 * when the share of the time that has passed reaches its place. The time is the store's, so that nodes need not agree.
 */
final class Ramp<K> {
    private final long start;
    private final long over;
    private final KeyCodec<K> codec;

    Ramp(RollOut rollOut, KeyCodec<K> codec) {
        this.start = rollOut.startEpochMillis();
        this.over = rollOut.over().toMillis();
        this.codec = codec;
    }

    boolean hasMoved(K key, StoreClock clock, long nanoTime) {
        double share = (double) (clock.latestMillis(nanoTime) - start) / over;
        return place(key) < share;
    }

    boolean isOver(StoreClock clock, long nanoTime) {
        return clock.latestMillis(nanoTime) - start >= over;
    }

    /** Bytes hash alike in every JVM; mixed, because neighbouring keys have neighbouring hashes. */
    private double place(K key) {
        int hash = Arrays.hashCode(codec.encode(key)) * 0x9E3779B9;
        return (hash >>> 8) * 0x1.0p-24;
    }
}
