package dev.corral.engine.policy;

import dev.corral.EarlyRefresh;

/** A window as wide as the load probably takes, plus a few gaps between reads so that one read falls into it. */
public record AdaptiveWindow() implements EarlyRefresh {

    @Override
    public long windowNanos(Measured entry) {
        return load(entry) + 2 * slack(entry); // due at half of the slack; before that it learns the gap
    }

    @Override
    public boolean due(Measured entry, long remainingNanos, double dice) {
        long gap = entry.readGapNanos();
        long gaps = gap > slack(entry) ? slack(entry) : Math.min(3 * gap, slack(entry));
        return remainingNanos <= load(entry) + gaps;
    }

    private static long load(Measured entry) {
        return entry.smoothedCostNanos() + 4 * entry.costVariationNanos();
    }

    private static long slack(Measured entry) {
        return entry.ttlNanos() / 8;
    }
}
