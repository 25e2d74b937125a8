package dev.corral.engine;

import dev.corral.CacheSettings.RollOut;
import dev.corral.spi.StoreClock;

/**
 * Which keys are on this cache already. A key's place between 0 and 1 is a hash of it, the same on all nodes; it moves
 * when the share of the time that has passed reaches its place. The time is the store's, so that nodes need not agree.
 */
final class Ramp {
    private final long start;
    private final long over;

    Ramp(RollOut rollOut) {
        this.start = rollOut.startEpochMillis();
        this.over = rollOut.over().toMillis();
    }

    boolean hasMoved(Object key, StoreClock clock, long nanoTime) {
        double share = (double) (clock.latestMillis(nanoTime) - start) / over;
        return place(key) < share;
    }

    boolean isOver(StoreClock clock, long nanoTime) {
        return clock.latestMillis(nanoTime) - start >= over;
    }

    /** Text hashes alike in every JVM; mixed, because neighbouring keys have neighbouring hashes. */
    private static double place(Object key) {
        int hash = key.toString().hashCode() * 0x9E3779B9;
        return (hash >>> 8) * 0x1.0p-24;
    }
}
