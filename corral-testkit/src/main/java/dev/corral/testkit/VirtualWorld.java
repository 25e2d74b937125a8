package dev.corral.testkit;

import dev.corral.spi.Delays;
import dev.corral.spi.Parking;
import dev.corral.spi.Platform;
import dev.corral.spi.RandomSource;
import dev.corral.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One thread at a time, virtual time. A task that wants to take time calls {@link #pass}: everything that is due meanwhile happens
 * inside that call, other nodes' doings included. A synchronous read that has to wait lets the world go on in the same
 * way.
 */
public final class VirtualWorld {
    private static final ExecutorService OTHERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "elsewhere");
        thread.setDaemon(true);
        return thread;
    });

    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final Random random = new Random(42);
    private double nextDice = -1;
    private long now = Duration.ofDays(1).toNanos();
    private long numbers;

    private record Due(long at, long number, Runnable task) {}

    /** The platform of one node. */
    public Platform platform() {
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public long wallMillis() {
                return 1_700_000_000_000L + now / 1_000_000;
            }
        };
        Delays delays = (nanos, task) -> {
            Due due = new Due(now + Math.max(0, nanos), numbers++, task);
            timers.add(due);
            return () -> timers.remove(due);
        };
        Parking parking = new Parking() {
            @Override
            public void park(Object blocker, long nanos) {
                if (!step(now + nanos)) {
                    now += nanos;
                }
            }

            @Override
            public void unpark(Thread thread) {}
        };
        return new Platform(time, new Dice(), delays, ready::addLast, ready::addLast, parking);
    }

    private final class Dice implements RandomSource {
        @Override
        public long nextLong() {
            return random.nextLong();
        }

        @Override
        public double nextDouble() {
            return nextDice >= 0 ? nextDice : RandomSource.super.nextDouble();
        }
    }

    /** From now on every throw of the dice gives this. */
    public void dice(double value) {
        nextDice = value;
    }

    /** Lets that much time pass, with everything that happens in it. */
    public void pass(Duration time) {
        long until = now + time.toNanos();
        while (step(until)) {}
        now = until;
    }

    /** Does everything that can happen without time passing. */
    public void settle() {
        pass(Duration.ZERO);
    }

    private boolean step(long until) {
        Runnable task = ready.pollFirst();
        if (task == null && !timers.isEmpty() && timers.peek().at() <= until) {
            Due due = timers.poll();
            now = Math.max(now, due.at());
            task = due.task();
        }
        if (task != null) {
            elsewhere(task);
        }
        return task != null;
    }

    /**
     * Runs something on a thread of its own while this one waits, as another node or another caller would: what the
     * current thread is inside of is not its business.
     */
    public void elsewhere(Runnable action) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(action, OTHERS);
        try {
            done.join(); // does not mind interruption, which is between the engine and the loader
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Virtual nanoseconds. */
    public long now() {
        return now;
    }

    /** What is still to come: nothing should be left behind when all work is done. */
    public int pendingTimers() {
        return timers.size();
    }
}
