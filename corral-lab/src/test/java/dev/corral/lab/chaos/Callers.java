package dev.corral.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The threads of a node that read: many at once on one key, or steadily on some keys. */
final class Callers {
    private static final long PACE_NANOS = 10_000_000;

    private final UnaryOperator<String> cache;
    private final Consumer<String> report;
    private final AtomicInteger groups = new AtomicInteger();
    private final List<Thread> steady = new ArrayList<>();
    private volatile boolean running;

    Callers(UnaryOperator<String> cache, Consumer<String> report) {
        this.cache = cache;
        this.report = report;
    }

    /** That many callers read the key once, all at the same moment. Says so when all are about to. */
    void together(String key, int callers) {
        String group = "once" + groups.incrementAndGet() + "-";
        CountDownLatch ready = new CountDownLatch(callers);
        for (int i = 0; i < callers; i++) {
            String caller = group + i;
            start(() -> {
                ready.countDown();
                await(ready);
                read(caller, key);
            });
        }
        await(ready);
        report.accept("begun " + group + " .");
    }

    /** That many callers read keys of that name, numbered from 0, again and again at a steady pace. */
    void steadily(String name, int keys, int callers) {
        running = true;
        for (int i = 0; i < callers; i++) {
            String caller = "steady" + i;
            int first = i * keys / callers; // spread, so that not all wait for the same load
            steady.add(start(() -> {
                for (int k = first; running; k++) {
                    read(caller, name + k % keys);
                    LockSupport.parkNanos(PACE_NANOS); // what makes it a pace; nothing is waited for
                }
            }));
        }
    }

    /** Ends the steady reading, once their reads have ended. */
    void quiet() throws InterruptedException {
        running = false;
        for (Thread thread : steady) {
            thread.join();
        }
        steady.clear();
        report.accept("quiet .");
    }

    private void read(String caller, String key) {
        long began = System.nanoTime();
        String value = "";
        String error = "";
        try {
            value = cache.apply(key);
        } catch (RuntimeException | Error e) {
            error = e.getClass().getSimpleName();
        }
        report.accept(Call.line(caller, key, began, System.nanoTime(), value, error));
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
