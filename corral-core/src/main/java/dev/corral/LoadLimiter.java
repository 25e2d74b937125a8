package dev.corral;

import dev.corral.engine.Permits;

/**
 * How many loads may run at once in this process. Caches that load from the same database may share one. Loads wait
 * for a permit in a bounded queue, first come first served, without a thread; a load that a loader begins on its own
 * thread runs under the permit it already has, so nested loads cannot deadlock.
 */
public final class LoadLimiter {
    /** How many loads may wait for a permit unless said otherwise. */
    public static final int DEFAULT_QUEUE = 1_000;

    private final int count;
    final Permits permits;

    private LoadLimiter(int permits, int queueLimit) {
        if (permits < 1) {
            throw new IllegalArgumentException("a limiter needs at least 1 permit, got " + permits);
        }
        if (queueLimit < 0) {
            throw new IllegalArgumentException("a limiter's queue cannot be negative, got " + queueLimit);
        }
        this.count = permits;
        this.permits = new Permits(permits, queueLimit);
    }

    /** That many loads at once, and {@value #DEFAULT_QUEUE} waiting. */
    public static LoadLimiter of(int permits) {
        return new LoadLimiter(permits, DEFAULT_QUEUE);
    }

    /** That many loads at once, and that many waiting; zero fails fast. */
    public static LoadLimiter of(int permits, int queue) {
        return new LoadLimiter(permits, queue);
    }

    /** No limit. */
    public static LoadLimiter unlimited() {
        return new LoadLimiter(Integer.MAX_VALUE, 0);
    }

    /** Loads that hold a permit now. */
    public int running() {
        return permits.running();
    }

    /** Loads that wait for one. */
    public int queued() {
        return permits.queued();
    }

    /** How many loads may run at once. */
    public int permits() {
        return count;
    }
}
