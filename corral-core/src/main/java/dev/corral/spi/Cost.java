package dev.corral.spi;

/**
 * What loading a key costs, kept with its entry. The smoothed cost and its variation are the estimators of TCP's
 * retransmission timer (Jacobson and Karels 1988, RFC 6298), gains 1/8 and 1/4.
 *
 * @param lastNanos how long the last load took: XFetch's delta
 * @param smoothedNanos the smoothed cost
 * @param variationNanos the smoothed mean deviation from it
 */
public record Cost(long lastNanos, long smoothedNanos, long variationNanos) {
    /** Nothing measured: the entry was {@code put}, not loaded. */
    public static final Cost UNKNOWN = new Cost(0, 0, 0);

    /** The cost after one more load. */
    public Cost next(long nanos) {
        if (smoothedNanos == 0) {
            return new Cost(nanos, nanos, nanos / 2);
        }
        long variation = variationNanos + (Math.abs(smoothedNanos - nanos) - variationNanos) / 4;
        long smoothed = smoothedNanos + (nanos - smoothedNanos) / 8;
        return new Cost(nanos, smoothed, variation);
    }
}
