package dev.corral;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many loads may run at once in this process. Caches that load from the same database may share one. Loads wait
 * for a permit in a bounded queue, first come first served, without a thread; a load that a loader begins on its own
 * thread runs under the permit it already has, so nested loads cannot deadlock.
 */
public final class LoadLimiter {
    /** How many loads may wait for a permit unless said otherwise. */
    public static final int DEFAULT_QUEUE = 1_000;

    private final int permits;
    private final int queueLimit;
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private int running;

    private LoadLimiter(int permits, int queueLimit) {
        if (permits < 1) {
            throw new IllegalArgumentException("a limiter needs at least 1 permit, got " + permits);
        }
        if (queueLimit < 0) {
            throw new IllegalArgumentException("a limiter's queue cannot be negative, got " + queueLimit);
        }
        this.permits = permits;
        this.queueLimit = queueLimit;
    }

    /** That many loads at once, and {@value #DEFAULT_QUEUE} waiting. */
    public static LoadLimiter of(int permits) {
        return new LoadLimiter(permits, DEFAULT_QUEUE);
    }

    /** That many loads at once, and that many waiting; zero fails fast. */
    public static LoadLimiter of(int permits, int queue) {
        return new LoadLimiter(permits, queue);
    }

    /** No limit. */
    public static LoadLimiter unlimited() {
        return new LoadLimiter(Integer.MAX_VALUE, 0);
    }

    /** Loads that hold a permit now. */
    public synchronized int running() {
        return running;
    }

    /** Loads that wait for one. */
    public synchronized int queued() {
        return queue.size();
    }

    /** How many loads may run at once. */
    public int permits() {
        return permits;
    }

    /** A load that waits. The engine's side of the limiter; applications have no use for it. */
    public static final class Waiter {
        private final Runnable onPermit;

        Waiter(Runnable onPermit) {
            this.onPermit = onPermit;
        }
    }

    /** The answers to {@link #acquire}. */
    public enum Answer {
        /** A permit, to be given back with {@link #release}. */
        PERMITTED,
        /** A place in the queue. */
        QUEUED,
        /** Neither. */
        FULL
    }

    /** A place in the queue that can be asked for; runs the task, on the releasing thread, when a permit is there. */
    public static Waiter waiter(Runnable onPermit) {
        return new Waiter(onPermit);
    }

    /** Takes a permit, or else the queue's last place. */
    public synchronized Answer acquire(Waiter waiter) {
        if (running < permits) {
            running++;
            return Answer.PERMITTED;
        }
        if (queue.size() >= queueLimit) {
            return Answer.FULL;
        }
        queue.addLast(waiter);
        return Answer.QUEUED;
    }

    /** Takes a permit if one is free now. */
    public synchronized boolean tryAcquire() {
        if (running < permits) {
            running++;
            return true;
        }
        return false;
    }

    /** Leaves the queue; false if the permit has been handed over already. */
    public synchronized boolean withdraw(Waiter waiter) {
        return queue.remove(waiter);
    }

    /** Gives a permit back, to the first in the queue if there is one. */
    public void release() {
        Waiter next;
        synchronized (this) {
            next = queue.pollFirst();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            next.onPermit.run();
        }
    }
}
