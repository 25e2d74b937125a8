package dev.corral.testkit;

import dev.corral.spi.Platform;
import java.time.Duration;
import java.util.Random;

/**
 * Surroundings under a test's control: time moves when told, timers fire in order as it does, executor tasks and
 * continuations wait for their turn, dice come from a seed. Threads that wait synchronously are real ones and wake when their instant comes.
 *
 * <p>{@link #advance} runs whatever becomes due, on the calling thread. Hand {@code platform().withExecutor(threads)} to
 * a cache whose background loads are to block on a {@link Gate}; else they would block the test.
 */
public final class ManualPlatform {
    private static final long PATIENCE = 10; // seconds

    private final ManualTime time = new ManualTime();
    private final ManualDelays delays = new ManualDelays(time);
    private final ManualParking parking = new ManualParking(time);
    private final ManualTasks tasks = new ManualTasks();
    private final ManualTasks continuations = new ManualTasks();
    private final Platform platform;
    private volatile boolean held;

    private ManualPlatform(long seed) {
        Random random = new Random(seed); // its numbers are drawn under its own lock
        this.platform = new Platform(time, random::nextLong, delays, tasks, continuations, parking);
    }

    /** Surroundings with the dice of seed 1. */
    public static ManualPlatform create() {
        return seeded(1);
    }

    /** Surroundings with the dice of that seed. */
    public static ManualPlatform seeded(long seed) {
        return new ManualPlatform(seed);
    }

    /** What to hand to a cache or a store. */
    public Platform platform() {
        return platform;
    }

    /** The clocks; to move them, use {@link #advance}. */
    public ManualTime time() {
        return time;
    }

    /**
     * Moves the time. Stops at each timer on the way, fires it, and runs the executor's tasks before going on, unless
     * they are {@link #hold held}.
     */
    public void advance(Duration by) {
        long target = time.passed() + by.toNanos();
        runDue();
        for (Long due = delays.nextDue(target); due != null; due = delays.nextDue(target)) {
            moveTo(due);
        }
        moveTo(target);
    }

    /**
     * Fires the timers due now and runs the continuations and tasks that wait, with all that follows from them, without
     * moving time.
     */
    public void runDue() {
        boolean busy = true;
        while (busy) {
            Runnable next = delays.takeDue();
            if (next == null) {
                next = continuations.take();
            }
            if (next == null && !held) {
                next = tasks.take();
            }
            busy = next != null;
            if (next != null) {
                next.run();
            }
        }
    }

    /** From now on tasks of the executor wait for {@link #runTasks} or {@link #release}. */
    public void hold() {
        held = true;
    }

    /** Runs the tasks that waited, and those to come as time moves. */
    public void release() {
        held = false;
        runDue();
    }

    /** Runs the executor's tasks, held or not, with those that they add; returns how many. */
    public int runTasks() {
        int count = 0;
        for (Runnable next = tasks.take(); next != null; next = tasks.take()) {
            next.run();
            count++;
            for (Runnable then = continuations.take(); then != null; then = continuations.take()) {
                then.run();
            }
        }
        return count;
    }

    /** Makes the executor refuse tasks, or stop doing so. */
    public void rejectTasks(boolean reject) {
        tasks.reject(reject);
    }

    /** How many tasks of the executor wait. */
    public int waitingTasks() {
        return tasks.size();
    }

    /** How many timers are set. */
    public int waitingTimers() {
        return delays.size();
    }

    /** How many threads wait, not counting those whose time has come. */
    public int parkedThreads() {
        return parking.count();
    }

    /** Waits, in real time and at most ten seconds of it, until that many threads wait. */
    public void awaitParked(int threads) {
        parking.awaitCount(threads, PATIENCE);
    }

    private void moveTo(long instant) {
        time.moveTo(instant);
        parking.timeMoved();
        runDue();
    }
}
