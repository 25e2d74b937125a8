package dev.corral.testkit;

import dev.corral.spi.Delays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Timers in the order in which they are due; those due at one instant, in the order in which they were set. */
final class ManualDelays implements Delays {
    private final ManualTime time;
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));
    private long numbers;

    ManualDelays(ManualTime time) {
        this.time = time;
    }

    private record Task(long due, long number, Runnable action) {}

    @Override
    public synchronized Timer after(long nanos, Runnable action) {
        Task task = new Task(time.passed() + Math.max(0, nanos), numbers++, action);
        tasks.add(task);
        return () -> cancel(task);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    synchronized int size() {
        return tasks.size();
    }

    /** When the next one is due, in nanoseconds since the start; null if there is none until then. */
    synchronized @Nullable Long nextDue(long until) {
        Task next = tasks.peek();
        return next == null || next.due > until ? null : next.due;
    }

    /** Takes out the next one that is due by now. */
    synchronized @Nullable Runnable takeDue() {
        Task next = tasks.peek();
        if (next == null || next.due > time.passed()) {
            return null;
        }
        tasks.remove();
        return next.action;
    }
}
