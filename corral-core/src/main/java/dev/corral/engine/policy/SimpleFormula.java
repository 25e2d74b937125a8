package dev.corral.engine.policy;

import dev.corral.EarlyRefresh;

/** The cost-blind formula, kept for comparison. */
public record SimpleFormula(double beta) implements EarlyRefresh {
    private static final double SECOND = 1e9;

    /** Checks beta. */
    public SimpleFormula {
        XFetch.requireBeta(beta);
    }

    @Override
    public long windowNanos(Measured entry) {
        // beta * r / (ttl - r + 1) <= -ln(clip), solved for r
        double furthest = -Math.log(XFetch.CLIP);
        double seconds = furthest * (entry.ttlNanos() / SECOND + 1) / (beta + furthest);
        return Math.min(entry.ttlNanos(), (long) (seconds * SECOND));
    }

    @Override
    public boolean due(Measured entry, long remainingNanos, double dice) {
        double remaining = remainingNanos / SECOND;
        double ttl = entry.ttlNanos() / SECOND;
        return Math.max(dice, XFetch.CLIP) < Math.exp(-beta * remaining / (ttl - remaining + 1));
    }
}
