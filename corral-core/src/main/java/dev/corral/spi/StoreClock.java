package dev.corral.spi;

import java.util.concurrent.TimeUnit;

/**
 * What this node knows of the store's clock: its offset from the node's monotonic clock, and how wrong that may be. The
 * error always counts against the node: it takes the store's clock to be as late as it could be, so an entry ends
 * early rather than late.
 *
 * @param offsetNanos store time (nanoseconds since the epoch) minus the node's monotonic time
 * @param errorNanos how far off the offset may be, either way
 */
public record StoreClock(long offsetNanos, long errorNanos) {

    /**
     * The offset from one question and answer, after Cristian (1989): the store read its clock somewhere between the
     * two, so the middle is off by half the round trip at most.
     *
     * @param sentNanos monotonic time when the question went out
     * @param receivedNanos monotonic time when the answer came in
     * @param storeNanos the store's clock in the answer, nanoseconds since the epoch
     * @param granularityNanos how coarse that clock is
     */
    public static StoreClock measured(long sentNanos, long receivedNanos, long storeNanos, long granularityNanos) {
        long half = (receivedNanos - sentNanos) / 2;
        return new StoreClock(storeNanos - (sentNanos + half), half + granularityNanos);
    }

    /** The node's monotonic instant from which on the store's clock may have reached that time. */
    public long earliestNanoTime(long storeMillis) {
        return TimeUnit.MILLISECONDS.toNanos(storeMillis) - offsetNanos - errorNanos;
    }

    /** The node's monotonic instant by which the store's clock has surely reached that time. */
    public long latestNanoTime(long storeMillis) {
        return TimeUnit.MILLISECONDS.toNanos(storeMillis) - offsetNanos + errorNanos;
    }

    /** The store's clock at the most, in milliseconds. */
    public long latestMillis(long nanoTime) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime + offsetNanos + errorNanos);
    }
}
