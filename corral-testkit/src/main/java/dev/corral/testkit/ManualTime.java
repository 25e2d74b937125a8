package dev.corral.testkit;

import dev.corral.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clocks that stand still until told otherwise. The monotonic one starts close below its overflow, so that a comparison
 * that is not a subtraction shows.
 */
public final class ManualTime implements TimeSource {
    private static final long START = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
    private static final long WALL = 1_800_000_000_000L;

    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong wallJump = new AtomicLong();

    @Override
    public long nanoTime() {
        return START + passed.get();
    }

    @Override
    public long wallMillis() {
        return WALL + passed.get() / 1_000_000 + wallJump.get();
    }

    /**
     * Moves both clocks. Of a {@link ManualPlatform}'s time, move the platform instead: this wakes nobody.
     *
     * @throws IllegalArgumentException if that would be backwards
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + by);
        }
        passed.addAndGet(by.toNanos());
    }

    /** Sets the wall clock forth or back, as an administrator or NTP does; the monotonic one does not notice. */
    public void jumpWall(Duration by) {
        wallJump.addAndGet(by.toMillis());
    }

    /** How far the time has been moved since the start, in nanoseconds. */
    long passed() {
        return passed.get();
    }

    void moveTo(long nanosSinceStart) {
        passed.accumulateAndGet(nanosSinceStart, Math::max);
    }
}
