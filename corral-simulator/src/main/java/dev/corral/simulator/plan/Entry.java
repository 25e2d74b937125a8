package dev.corral.simulator.plan;

import dev.corral.EarlyRefresh.Measured;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoredEntry;
import java.util.concurrent.TimeUnit;

/** The entry in the store, with its instants in the world's time. */
record Entry(long writtenAt, long soft, long hard, Measured measured) {

    static Entry of(StoredEntry stored, StoreClock clock) {
        Measured measured = new Measured(
                TimeUnit.MILLISECONDS.toNanos(stored.softExpiry() - stored.writtenAt()),
                stored.cost().lastNanos(),
                stored.cost().smoothedNanos(),
                stored.cost().variationNanos(),
                Long.MAX_VALUE);
        return new Entry(
                clock.earliestNanoTime(stored.writtenAt()),
                clock.earliestNanoTime(stored.softExpiry()),
                clock.earliestNanoTime(stored.hardExpiry()),
                measured);
    }
}
