package dev.corral.engine;

import dev.corral.EarlyRefresh;
import dev.corral.spi.Cost;
import dev.corral.spi.Token;
import org.jspecify.annotations.Nullable;

/**
 * An entry with its value decoded and its instants on this node's monotonic clock, the error of the store's clock
 * already counted against it.
 */
record Entry<V>(
        @Nullable V value, long writtenAt, long softExpiry, long hardExpiry, long ttl, Cost cost, Token commitId) {

    EarlyRefresh.Measured measured(long readGap) {
        return new EarlyRefresh.Measured(ttl, cost.lastNanos(), cost.smoothedNanos(), cost.variationNanos(), readGap);
    }
}
