package dev.corral;

import dev.corral.engine.policy.AdaptiveWindow;
import dev.corral.engine.policy.SimpleFormula;
import dev.corral.engine.policy.XFetch;

/**
 * Decides whether a read refreshes an entry before it expires: a pure function of what is known of the entry, the time
 * left, and one random number. At most one early refresh per key runs in the cluster, in the background.
 */
public interface EarlyRefresh {

    /**
     * What a policy knows of an entry.
     *
     * @param ttlNanos from write to soft expiry
     * @param costNanos how long its last load took; zero if it was put
     * @param smoothedCostNanos the smoothed load time
     * @param costVariationNanos the smoothed deviation from it
     * @param readGapNanos the smoothed time between this node's reads of the key near its expiry; {@link
     *     Long#MAX_VALUE} when not known
     */
    record Measured(
            long ttlNanos, long costNanos, long smoothedCostNanos, long costVariationNanos, long readGapNanos) {}

    /**
     * How long before soft expiry {@link #due} can first be true, in nanoseconds. The engine does not ask before, so
     * that a hit costs one clock read and one comparison.
     */
    long windowNanos(Measured entry);

    /**
     * True if the entry is to be refreshed now.
     *
     * @param remainingNanos the time left to soft expiry
     * @param dice uniform in {@code [0, 1)}
     */
    boolean due(Measured entry, long remainingNanos, double dice);

    /** {@link #xfetch(double)} with beta 1, the optimum. */
    static EarlyRefresh xfetch() {
        return xfetch(1);
    }

    /**
     * Probabilistic early expiration, XFetch: refresh when {@code remaining <= cost * beta * -ln(u)}. Vattani,
     * Chierichetti and Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015. The dice are clipped
     * at 2<sup>-20</sup>, and nothing is refreshed in the first half of its time to live.
     *
     * @param beta above 1 refreshes earlier, below 1 later
     * @throws IllegalArgumentException if beta is not positive and finite
     */
    static EarlyRefresh xfetch(double beta) {
        return new XFetch(beta);
    }

    /**
     * The adaptive window: refresh once {@code remaining <= smoothedCost + 4 * variation + min(3 * readGap, ttl / 8)}.
     * Throws no dice: late enough to waste little, early enough to finish in time.
     */
    static EarlyRefresh adaptive() {
        return new AdaptiveWindow();
    }

    /**
     * The formula of many blog posts, for comparison: refresh with probability {@code exp(-beta * remaining / (ttl -
     * remaining + 1))}, in seconds. It ignores the cost and refreshes ever earlier the more reads there are.
     *
     * @throws IllegalArgumentException if beta is not positive and finite
     */
    static EarlyRefresh simple(double beta) {
        return new SimpleFormula(beta);
    }
}
