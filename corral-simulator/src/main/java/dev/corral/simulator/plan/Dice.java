package dev.corral.simulator.plan;

import dev.corral.spi.RandomSource;
import java.util.SplittableRandom;

/** A process's randomness. What its next throw for a policy shows can be decided beforehand. */
final class Dice implements RandomSource {
    private static final double FROM_SEED = -1;

    private final SplittableRandom random;
    private double decided = FROM_SEED;

    Dice(SplittableRandom random) {
        this.random = random;
    }

    /** The reader whose throw was drawn already comes now. */
    void decide(double next) {
        decided = next;
    }

    /** Nothing is decided any more. */
    void forget() {
        decided = FROM_SEED;
    }

    @Override
    public long nextLong() {
        return random.nextLong();
    }

    @Override
    public double nextDouble() {
        double next = decided == FROM_SEED ? random.nextDouble() : decided;
        decided = FROM_SEED;
        return next;
    }
}
