package dev.corral.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for what a real server, process or network brings about: looks until it is so, and never just for a while. Only
 * where nothing can be moved by hand.
 */
public final class Patience {
    private static final Duration MOST = Duration.ofSeconds(15);
    private static final long BETWEEN_LOOKS_NANOS = 1_000_000;

    private Patience() {}

    /**
     * Waits until that is so.
     *
     * @param what is waited for, for the message
     * @throws AssertionError if it is not so within 15 seconds
     */
    public static void until(String what, BooleanSupplier condition) {
        within(MOST, what, condition);
    }

    /**
     * Waits until that is so.
     *
     * @param what is waited for, for the message
     * @throws AssertionError if it is not so within that time
     */
    public static void within(Duration most, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > most.toNanos()) {
                throw new AssertionError("not within " + most + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** How long that took. */
    public static Duration time(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
