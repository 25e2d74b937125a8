package dev.corral.testkit;

import dev.corral.spi.Parking;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Real threads that wait for manual time: each is parked until somebody unparks it or its instant is reached. */
final class ManualParking implements Parking {
    private final ManualTime time;
    private final Map<Thread, Long> parked = new HashMap<>();

    ManualParking(ManualTime time) {
        this.time = time;
    }

    @Override
    public void park(Object blocker, long nanos) {
        if (nanos <= 0) {
            return;
        }
        Thread thread = Thread.currentThread();
        synchronized (this) {
            long now = time.passed();
            long until = now + Math.min(nanos, Long.MAX_VALUE - now);
            parked.put(thread, until);
            notifyAll();
        }
        LockSupport.park(blocker); // a wake-up since then has left a permit, so none is lost
        synchronized (this) {
            parked.remove(thread);
        }
    }

    @Override
    public void unpark(Thread thread) {
        synchronized (this) {
            parked.remove(thread);
        }
        LockSupport.unpark(thread);
    }

    /** Wakes whoever waited for an instant that has been reached. Call after each move of the time. */
    synchronized void timeMoved() {
        long now = time.passed();
        parked.entrySet().removeIf(entry -> {
            boolean due = entry.getValue() <= now;
            if (due) {
                LockSupport.unpark(entry.getKey());
            }
            return due;
        });
    }

    synchronized int count() {
        return parked.size();
    }

    /** Waits, in real time, until that many threads are parked and not yet woken. */
    synchronized void awaitCount(int threads, long deadlineSeconds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineSeconds);
        while (parked.size() < threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("only " + parked.size() + " of " + threads + " threads came to wait");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
