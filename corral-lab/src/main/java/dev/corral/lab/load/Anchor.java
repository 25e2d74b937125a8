package dev.corral.lab.load;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One moment on two clocks, to say in wall-clock time, which the database's log is in, when something happened on the
 * monotonic clock.
 */
record Anchor(long nanos, long micros) {
    static Anchor now() {
        return new Anchor(System.nanoTime(), ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }

    long microsAt(long atNanos) {
        return micros + Math.floorDiv(atNanos - nanos, 1_000L);
    }
}
