package dev.corral.spi;

/** Randomness for dice, tokens and jitter; handed in so that a run can be repeated from a seed. */
@FunctionalInterface
public interface RandomSource {
    /** Sixty-four random bits. Must be safe for use by many threads. */
    long nextLong();

    /** A uniform number in {@code [0, 1)}. */
    default double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }
}
