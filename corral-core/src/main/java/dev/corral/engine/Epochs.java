package dev.corral.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The local epoch of each key: a number that an invalidation raises, so that whatever was read or begun before can be
 * told from what came after. Keys share stripes; sharing one only costs a fill that was not needed to be refused.
 */
final class Epochs {
    private static final int STRIPES = 4096;

    private final AtomicLongArray stripes = new AtomicLongArray(STRIPES);
    private final AtomicLong everything = new AtomicLong();

    /** Two that are equal mean that nothing was raised in between: both parts only grow. */
    long of(Object key) {
        return stripes.get(stripe(key)) + everything.get();
    }

    /** Returns the new one. */
    long raise(Object key) {
        return stripes.incrementAndGet(stripe(key)) + everything.get();
    }

    void raiseAll() {
        everything.incrementAndGet();
    }

    private static int stripe(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash >>> 20) & (STRIPES - 1);
    }
}
