package dev.corral.lab.load;

/**
 * When requests are meant to leave: evenly, from a first moment on.
 *
 * @param startNanos the first one, on the clock of {@link System#nanoTime}
 * @param perSecond how many a second
 */
record Schedule(long startNanos, int perSecond) {

    /** When request number {@code index} is meant to leave; the first is number 0. */
    long intendedNanos(long index) {
        return startNanos + index * 1_000_000_000L / perSecond;
    }
}
