package dev.corral.spi;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The process-wide default surroundings; made on first use, all threads are daemons. */
final class SystemPlatform {
    static final Platform INSTANCE = create();

    private SystemPlatform() {}

    private static Platform create() {
        ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, daemons("corral-timer"));
        timers.setRemoveOnCancelPolicy(true);
        // Unbounded on purpose: the load limiter, not the pool, bounds how many loads run.
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("corral-worker"));
        Delays delays = (nanos, task) -> {
            // The timer's thread only hands over: a task that turns out slow must not hold up another cache's lease.
            Runnable due = () -> runOn(workers, task);
            Future<?> scheduled = timers.schedule(due, Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        };
        return new Platform(
                new Clocks(),
                () -> ThreadLocalRandom.current().nextLong(),
                delays,
                workers,
                task -> runOn(workers, task),
                Parking.threads());
    }

    /** Where no thread can be had, late is better than never. */
    private static void runOn(Executor workers, Runnable task) {
        try {
            workers.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run();
        }
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static final class Clocks implements TimeSource {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    }
}
