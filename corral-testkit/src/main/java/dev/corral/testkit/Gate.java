package dev.corral.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Holds threads until it is opened, so that a race runs in the order its test wants. Nobody waits for ever: after ten
 * seconds of real time, or what was asked for, the wait ends with an {@link AssertionError}.
 */
public final class Gate {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Duration patience;
    private boolean open;
    private int arrived;

    private Gate(Duration patience) {
        this.patience = patience;
    }

    /** A gate that is shut. */
    public static Gate shut() {
        return shut(PATIENCE);
    }

    /** A gate that is shut, and waits at it that last that long at most. */
    public static Gate shut(Duration patience) {
        return new Gate(patience);
    }

    /** Lets everybody through, now and later. */
    public synchronized void open() {
        open = true;
        notifyAll();
    }

    /** Holds up whoever comes from now on. */
    public synchronized void close() {
        open = false;
    }

    /** True if nobody has to wait. */
    public synchronized boolean isOpen() {
        return open;
    }

    /** How many have come to the gate so far, whether or not they are through. */
    public synchronized int arrived() {
        return arrived;
    }

    /** Waits until the gate is open. An interrupt ends the wait as it ends a loader's: with the exception. */
    public synchronized void pass() throws InterruptedException {
        arrived++;
        notifyAll();
        long deadline = deadline();
        while (!open) {
            waitUntil(deadline, "the gate was not opened");
        }
    }

    /** Waits until that many have come to the gate. */
    public synchronized void awaitArrivals(int threads) throws InterruptedException {
        long deadline = deadline();
        while (arrived < threads) {
            waitUntil(deadline, arrived + " of " + threads + " came to the gate");
        }
    }

    private long deadline() {
        return System.nanoTime() + patience.toNanos();
    }

    private void waitUntil(long deadline, String complaint) throws InterruptedException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new AssertionError(complaint + " within " + patience);
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
    }
}
