package dev.corral.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what a real server, or a real network, brings about. Only where nothing can be moved by hand. */
final class Patience {
    private static final Duration MOST = Duration.ofSeconds(15);

    private Patience() {}

    static void until(String what, BooleanSupplier condition) {
        within(MOST, what, condition);
    }

    static void within(Duration most, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > most.toNanos()) {
                throw new AssertionError("not within " + most + ": " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** How long that took. */
    static Duration time(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
