package dev.corral.engine;

import java.util.ArrayDeque;
import java.util.Deque;

/** A number of permits and a bounded queue for them, first come first served, in which nobody occupies a thread. */
public final class Permits {
    final int count;
    private final int queueLimit;
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private int running;

    /** That many permits, and that many places to wait for one. */
    public Permits(int count, int queueLimit) {
        this.count = count;
        this.queueLimit = queueLimit;
    }

    /** Who waits for a permit. */
    interface Waiter {
        /** There is one; called on the releasing thread, must not throw. */
        void permitted();
    }

    /** The answers to {@link #acquire}. */
    enum Answer {
        /** A permit, to be given back with {@link #release}. */
        PERMITTED,
        /** A place in the queue. */
        QUEUED,
        /** Neither. */
        FULL
    }

    /** Permits in use. */
    public synchronized int running() {
        return running;
    }

    /** Places in use. */
    public synchronized int queued() {
        return queue.size();
    }

    /** Takes a permit, or else a place at the end of the queue. */
    synchronized Answer acquire(Waiter waiter) {
        if (tryAcquire()) {
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
        if (running < count) {
            running++;
            return true;
        }
        return false;
    }

    /** Leaves the queue; false if the permit has been handed over already. */
    synchronized boolean withdraw(Waiter waiter) {
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
            next.permitted();
        }
    }
}
