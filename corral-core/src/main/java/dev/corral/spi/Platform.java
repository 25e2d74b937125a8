package dev.corral.spi;

import java.util.concurrent.Executor;

/**
 * Everything the engine takes from its surroundings. Nothing in Corral reads a clock, rolls dice, sleeps or starts a
 * thread except through this record, so the whole engine runs in virtual time when a simulator hands in its own.
 *
 * @param time the monotonic clock
 * @param random dice, tokens and jitter
 * @param delays timers; their tasks are short and never block
 * @param executor where the user's code runs that no caller's thread runs: background loads, asynchronous loads
 * @param continuations where the engine goes on after a step of the store when no caller's thread is there to do so;
 *     must not drop a task
 * @param parking how a synchronous caller waits
 */
public record Platform(
        TimeSource time,
        RandomSource random,
        Delays delays,
        Executor executor,
        Executor continuations,
        Parking parking) {

    /** The JVM's clock, per-thread randomness, one shared timer and a pool of daemon threads. */
    public static Platform system() {
        return SystemPlatform.INSTANCE;
    }

    /** The same surroundings with another executor for loads; a slow or broken one delays nothing else. */
    public Platform withExecutor(Executor other) {
        return new Platform(time, random, delays, other, continuations, parking);
    }
}
