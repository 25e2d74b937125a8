package dev.corral.engine.policy;

import dev.corral.EarlyRefresh;

/** Probabilistic early expiration (Vattani, Chierichetti, Lowenstein 2015). */
public record XFetch(double beta) implements EarlyRefresh {
    /** The smallest dice that counts, 2<sup>-20</sup>: bounds how early a refresh can come. */
    static final double CLIP = 0x1.0p-20;

    private static final double FURTHEST = -Math.log(CLIP);

    /** Checks beta. */
    public XFetch {
        requireBeta(beta);
    }

    /**
     * Never more than half of the time to live. Where loads take a good part of it the formula alone would refresh
     * without end: at a thousand reads a second it looks ahead by seven times the cost.
     */
    @Override
    public long windowNanos(Measured entry) {
        return Math.min((long) (entry.costNanos() * beta * FURTHEST), entry.ttlNanos() / 2);
    }

    @Override
    public boolean due(Measured entry, long remainingNanos, double dice) {
        return remainingNanos <= entry.ttlNanos() / 2
                && entry.costNanos() * beta * -Math.log(Math.max(dice, CLIP)) >= remainingNanos;
    }

    static void requireBeta(double beta) {
        if (!(beta > 0) || Double.isInfinite(beta)) {
            throw new IllegalArgumentException("beta must be positive and finite, got " + beta);
        }
    }
}
