package dev.corral.engine;

import dev.corral.spi.Platform;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The synchronous face of the asynchronous engine: a queue of tasks that run on the thread that waits for their
 * outcome. So a cold flight's loader runs on its caller's thread, with its transaction and its context. When the caller
 * leaves, what is left of the queue moves to the executor.
 */
final class CallerLane implements Executor {
    private final Platform platform;
    private final Executor heir;
    private final Thread owner = Thread.currentThread();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean left;

    CallerLane(Platform platform, Executor heir) {
        this.platform = platform;
        this.heir = heir;
    }

    @Override
    public void execute(Runnable task) {
        if (queued(task)) {
            wake();
        } else {
            heir.execute(task);
        }
    }

    private synchronized boolean queued(Runnable task) {
        if (!left) {
            tasks.addLast(task);
        }
        return !left;
    }

    void wake() {
        if (Thread.currentThread() != owner) {
            platform.parking().unpark(owner);
        }
    }

    /** True while tasks run on the owner's thread. */
    synchronized boolean isOpen() {
        return !left;
    }

    /**
     * Runs tasks until the outcome is there.
     *
     * @param bound the monotonic instant of the next bound
     * @param onBound called when it is reached; must move the bound or bring the outcome about
     * @return false if the thread was interrupted while it waited
     */
    boolean drainUntil(BooleanSupplier done, LongSupplier bound, Runnable onBound) {
        while (!done.getAsBoolean()) {
            Runnable task = next();
            if (task != null) {
                task.run();
                continue;
            }
            long leftNanos = bound.getAsLong() - platform.time().nanoTime();
            if (leftNanos <= 0) {
                onBound.run();
                continue;
            }
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            platform.parking().park(this, leftNanos);
        }
        return true;
    }

    /** The owner goes; whoever still depends on its tasks is served by the executor. */
    void leave() {
        List<Runnable> rest;
        synchronized (this) {
            if (tasks.isEmpty()) {
                left = true;
                return;
            }
            left = true;
            rest = List.copyOf(tasks);
            tasks.clear();
        }
        rest.forEach(heir::execute);
    }

    private synchronized @Nullable Runnable next() {
        return tasks.pollFirst();
    }
}
