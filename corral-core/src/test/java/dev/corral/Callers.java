package dev.corral;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Real threads that start together, and the waiting for them, bounded. */
public final class Callers implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });

    /** Runs the action on one thread. */
    public <T> CompletableFuture<T> start(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Runs the action on so many threads that all leave one starting line. */
    public <T> List<CompletableFuture<T>> startAll(int count, Callable<T> action) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(start(() -> {
                ready.countDown();
                go.await();
                return action.call();
            }));
        }
        ready.await();
        go.countDown();
        return all;
    }

    /** The result, within bounds. */
    public static <T> T within(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("nothing after " + PATIENCE_SECONDS + " s", e);
        }
    }

    /** Waits until another thread has brought about a state that nothing announces. */
    public static void until(BooleanSupplier state) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!state.getAsBoolean()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("the state has not come after " + PATIENCE_SECONDS + " s");
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
