package dev.corral.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An executor whose tasks wait until somebody runs them. */
final class ManualTasks implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean rejecting;

    @Override
    public synchronized void execute(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("told to reject");
        }
        tasks.addLast(task);
    }

    synchronized void reject(boolean reject) {
        this.rejecting = reject;
    }

    synchronized @Nullable Runnable take() {
        return tasks.pollFirst();
    }

    synchronized int size() {
        return tasks.size();
    }
}
