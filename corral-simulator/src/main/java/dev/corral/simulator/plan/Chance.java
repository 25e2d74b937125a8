package dev.corral.simulator.plan;

import dev.corral.EarlyRefresh;
import dev.corral.EarlyRefresh.Measured;
import java.util.SplittableRandom;

/**
 * When a stream of readers makes a policy say yes. It asks the policy itself: the largest dice that it says yes to is the
 * share of readers that begin a refresh. A policy says yes the more readily the less time remains.
 */
final class Chance {
    /** No reader says yes before the entry expires. */
    static final long NEVER = -1;

    private static final double LARGEST = 1 - 0x1.0p-53;
    private static final int HALVINGS = 44;
    private static final int STEPS = 256;
    private static final int SAMPLES = 64;
    private static final double RARE = 3;

    private final EarlyRefresh policy;
    private final SplittableRandom random;
    private final boolean looksAtGaps;

    Chance(EarlyRefresh policy, SplittableRandom random, Measured typical) {
        this.policy = policy;
        this.random = random;
        this.looksAtGaps = looksAtGaps(policy, typical);
    }

    private static boolean looksAtGaps(EarlyRefresh policy, Measured entry) {
        long window = policy.windowNanos(entry);
        for (int i = 0; i <= SAMPLES; i++) {
            long remaining = window / SAMPLES * i;
            if (threshold(policy, with(entry, 0), remaining) != threshold(policy, entry, remaining)) {
                return true;
            }
        }
        return false;
    }

    private static Measured with(Measured entry, long gap) {
        return new Measured(
                entry.ttlNanos(), entry.costNanos(), entry.smoothedCostNanos(), entry.costVariationNanos(), gap);
    }

    /** True if each process must see its readers one by one near the end, or it would not know how often they come. */
    boolean looksAtGaps() {
        return looksAtGaps;
    }

    /** How long before expiry the policy can first say yes. */
    long window(Measured entry) {
        return Math.max(0, policy.windowNanos(entry));
    }

    /**
     * How long before expiry a policy that looks at gaps can say yes to a process whose readers come that rarely, with
     * three times the gap to be on the safe side.
     */
    long windowWithGap(Measured entry, double gapNanos) {
        Measured rare = with(entry, (long) Math.min(1e18, RARE * gapNanos));
        long yes = 0;
        long no = window(entry) + 1;
        while (no - yes > 1) {
            long middle = yes + (no - yes) / 2;
            if (policy.due(rare, middle, 0)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return yes;
    }

    /** The share of readers to whom the policy says yes. */
    double of(Measured entry, long remaining) {
        return threshold(policy, entry, remaining);
    }

    private static double threshold(EarlyRefresh policy, Measured entry, long remaining) {
        if (!policy.due(entry, remaining, 0)) {
            return 0;
        }
        if (policy.due(entry, remaining, LARGEST)) {
            return 1;
        }
        double yes = 0;
        double no = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (yes + no) / 2;
            if (policy.due(entry, remaining, middle)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return yes;
    }

    /**
     * How much time remains when the next reader comes to whom the policy says yes, by thinning (Lewis and Shedler
     * 1979): in each small step the share at its end bounds that of all of it.
     *
     * @param remaining from then on
     * @param perNano readers a nanosecond
     */
    long next(Measured entry, long remaining, double perNano) {
        long window = window(entry);
        long step = Math.max(1, window / STEPS);
        double left = Math.min(remaining, window);
        while (left > 0) {
            double end = Math.max(0, left - step);
            double most = of(entry, (long) end);
            double gap = most == 0 ? Double.POSITIVE_INFINITY : Draws.exponential(random) / (perNano * most);
            if (left - gap <= end) {
                left = end;
                continue;
            }
            left -= gap;
            if (random.nextDouble() * most < of(entry, (long) left)) {
                return (long) left;
            }
        }
        return NEVER;
    }

    /** A throw of the reader who got a yes. */
    double yes(Measured entry, long remaining) {
        return of(entry, remaining) * random.nextDouble();
    }
}
