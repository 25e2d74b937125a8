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

    @Override
    public long windowNanos(Measured entry) {
        return (long) (entry.costNanos() * beta * FURTHEST);
    }

    @Override
    public boolean due(Measured entry, long remainingNanos, double dice) {
        return entry.costNanos() * beta * -Math.log(Math.max(dice, CLIP)) >= remainingNanos;
    }

    static void requireBeta(double beta) {
        if (!(beta > 0) || Double.isInfinite(beta)) {
            throw new IllegalArgumentException("beta must be positive and finite, got " + beta);
        }
    }
}
