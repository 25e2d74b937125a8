package dev.corral.spi;

/** Runs short, non-blocking tasks later. */
@FunctionalInterface
public interface Delays {
    /**
     * Runs the task once, after the delay, unless cancelled before; never inside this call.
     *
     * @param nanos the delay in nanoseconds; zero or less means as soon as possible
     */
    Timer after(long nanos, Runnable task);

    /** A delayed task that can still be cancelled. */
    @FunctionalInterface
    interface Timer {
        /** Does nothing when the task has already run or was cancelled before. */
        void cancel();
    }
}
