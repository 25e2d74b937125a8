package dev.corral.spi;

/**
 * The clocks. Every deadline is kept in monotonic time, so a jump of the wall clock moves none; the wall clock only
 * tells what a store of this process calls now.
 */
public interface TimeSource {
    /** Monotonic nanoseconds with an arbitrary origin; compare two readings by subtraction only. */
    long nanoTime();

    /** Milliseconds since the epoch. */
    long wallMillis();
}
