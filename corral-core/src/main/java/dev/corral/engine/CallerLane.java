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
 * The synchronous face of the asynchronous engine: a queue of tasks that run on the thread that waits for their outcome,
 * and a place for a loader, so that a cold flight's loader runs on its caller's thread, with its transaction and its
 * context. Only loaders that have no permit but this thread's stand in line for it.
 *
 * <p>A loader may take long. While the thread is inside one, and once its caller has left, tasks go to the platform's
 * continuations instead: no other key's lease waits behind a loader.
 */
final class CallerLane implements Executor {
    private final Platform platform;
    private final Thread owner = Thread.currentThread();
    private final @Nullable LoadContext context = LoadContext.current();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Offer> offers = new ArrayDeque<>();
    private boolean loading;
    private boolean left;

    /** A loader that waits for the thread, and what to do with it if the caller leaves first. */
    private record Offer(Runnable loader, Runnable otherwise) {}

    CallerLane(Platform platform) {
        this.platform = platform;
    }

    @Override
    public void execute(Runnable task) {
        if (queued(task)) {
            wake();
        } else {
            platform.continuations().execute(task);
        }
    }

    private synchronized boolean queued(Runnable task) {
        if (left || loading) {
            return false;
        }
        tasks.addLast(task);
        return true;
    }

    /** Has the caller's own thread run a task, after the loader it may be inside of; not at all if the caller has left. */
    void afterLoader(Runnable task) {
        synchronized (this) {
            if (left) {
                return;
            }
            tasks.addLast(task);
        }
        wake();
    }

    /**
     * Asks the thread to run a loader; false if it is gone or has one already.
     *
     * @param otherwise runs in the loader's stead if the caller leaves before its turn
     */
    synchronized boolean offer(Runnable loader, Runnable otherwise) {
        return !loading && offers.isEmpty() && offerInTurn(loader, otherwise);
    }

    /** Has the thread run a loader after those it has been offered already; false if it is gone. */
    boolean offerInTurn(Runnable loader, Runnable otherwise) {
        synchronized (this) {
            if (left) {
                return false;
            }
            offers.addLast(new Offer(loader, otherwise));
        }
        wake();
        return true;
    }

    void wake() {
        if (Thread.currentThread() != owner) {
            platform.parking().unpark(owner);
        }
    }

    /** The loads that the caller is inside of. */
    @Nullable
    LoadContext context() {
        return context;
    }

    /** True while the caller is there. */
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
            if (runNext()) {
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

    /** The owner goes; whoever still depends on its tasks is served elsewhere. */
    void leave() {
        List<Runnable> rest;
        List<Offer> unused;
        synchronized (this) {
            left = true;
            unused = offers.isEmpty() ? List.of() : List.copyOf(offers);
            offers.clear();
            rest = tasks.isEmpty() ? List.of() : List.copyOf(tasks);
            tasks.clear();
        }
        rest.forEach(platform.continuations()::execute);
        unused.forEach(offer -> offer.otherwise.run());
    }

    private boolean runNext() {
        Runnable task;
        Offer load = null;
        synchronized (this) {
            task = tasks.pollFirst();
            if (task == null) {
                load = offers.pollFirst();
                loading = load != null;
            }
        }
        if (task != null) {
            task.run();
        } else if (load != null) {
            try {
                load.loader.run();
            } finally {
                loaded();
            }
        }
        return task != null || load != null;
    }

    private synchronized void loaded() {
        loading = false;
    }
}
