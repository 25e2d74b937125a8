package dev.corral.simulator;

import dev.corral.spi.StoreClock;

/** What a node knows of the store's clock: the best of its measurements, whose error grows as the clocks drift apart. */
final class Estimate {
    /** By how much a node's clock may be fast or slow, as a share. */
    static final double DRIFT = 1e-4;

    private static final long NO_IDEA = Long.MAX_VALUE / 16;
    private static final long GRANULARITY = 1_000;

    private StoreClock clock = new StoreClock(0, NO_IDEA);
    private long measuredAt;

    /** The connection is another one, perhaps to another server. */
    void forget() {
        clock = new StoreClock(0, NO_IDEA);
    }

    void measured(long sent, long received, long storeNanos) {
        StoreClock fresh = StoreClock.measured(sent, received, storeNanos, GRANULARITY);
        if (fresh.errorNanos() <= at(received).errorNanos()) {
            clock = fresh;
            measuredAt = received;
        }
    }

    StoreClock at(long now) {
        if (clock.errorNanos() == NO_IDEA) {
            return clock;
        }
        long drifted = (long) ((now - measuredAt) * 2 * DRIFT);
        return new StoreClock(clock.offsetNanos(), clock.errorNanos() + drifted);
    }
}
