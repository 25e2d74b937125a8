package dev.corral.simulator.plan;

import java.util.SplittableRandom;

/** Draws from the distributions of arrivals. */
final class Draws {
    private static final int FEW = 50;

    private Draws() {}

    /** The gap to the next arrival, in mean gaps. */
    static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    /** The time until that many have arrived, in mean gaps; of many a normal distribution. */
    static double untilArrived(int count, SplittableRandom random) {
        if (count > FEW) {
            return Math.max(0, count + Math.sqrt(count) * random.nextGaussian());
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += exponential(random);
        }
        return sum;
    }
}
