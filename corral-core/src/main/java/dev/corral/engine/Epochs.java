package dev.corral.engine;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The local epoch of each key: a number that an invalidation raises, so that whatever was read or begun before can be
 * told from what came after. Keys share stripes; sharing one only costs a fill that was not needed to be refused.
 */
final class Epochs {
    private static final int STRIPES = 4096;

    private final AtomicLongArray stripes = new AtomicLongArray(STRIPES);

    long of(Object key) {
        return stripes.get(stripe(key));
    }

    /** Returns the new one. */
    long raise(Object key) {
        return stripes.incrementAndGet(stripe(key));
    }

    void raiseAll() {
        for (int i = 0; i < STRIPES; i++) {
            stripes.incrementAndGet(i);
        }
    }

    private static int stripe(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash >>> 20) & (STRIPES - 1);
    }
}
