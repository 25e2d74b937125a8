package dev.corral.redis;

import dev.corral.spi.StoreClock;
import dev.corral.spi.TimeSource;
import java.util.concurrent.TimeUnit;

/**
 * What this node knows of the server's clock. Every answer of a script measures it; the best measurement counts, but
 * grows worse as clocks drift apart, so that a newer one takes its place in time. Where two cannot both be true the
 * server's clock has been set, and the newer one counts.
 */
final class ClockKeeper {
    private static final long GRANULARITY = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long DRIFT_PARTS = 5_000; // one in 5,000: 200 ppm, four times a poor crystal
    private static final long UNKNOWN = TimeUnit.DAYS.toNanos(36_500);

    private final TimeSource time;
    private volatile Measured best;

    private record Measured(long offset, long error, long at) {}

    ClockKeeper(TimeSource time) {
        this.time = time;
        this.best = unknown();
    }

    /** Before the first measurement the error is so great that nothing passes for fresh. */
    private Measured unknown() {
        long now = time.nanoTime();
        return new Measured(TimeUnit.MILLISECONDS.toNanos(time.wallMillis()) - now, UNKNOWN, now);
    }

    /** Another server may answer from now on. */
    void forget() {
        best = unknown();
    }

    void measured(long sentNanos, long serverMicros) {
        long received = time.nanoTime();
        long server = TimeUnit.MICROSECONDS.toNanos(serverMicros);
        StoreClock clock = StoreClock.measured(sentNanos, received, server, GRANULARITY);
        Measured current = best; // a lost race between two measurements costs a little accuracy, no more
        long error = current.error + drift(current, received);
        boolean jumped = Math.abs(clock.offsetNanos() - current.offset) > error + clock.errorNanos();
        if (jumped || clock.errorNanos() <= error) {
            best = new Measured(clock.offsetNanos(), clock.errorNanos(), received);
        }
    }

    StoreClock now() {
        Measured current = best;
        return new StoreClock(current.offset, current.error + drift(current, time.nanoTime()));
    }

    private static long drift(Measured measured, long now) {
        return Math.max(0, now - measured.at) / DRIFT_PARTS;
    }
}
