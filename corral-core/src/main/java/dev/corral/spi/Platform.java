package dev.corral.spi;

import java.util.concurrent.Executor;

/**
 * Everything the engine takes from its surroundings. Nothing in Corral reads a clock, rolls dice, sleeps or starts a
 * thread except through this record, so the whole engine runs in virtual time when a simulator hands in its own.
 *
 * @param time the monotonic clock
 * @param random dice, tokens and jitter
 * @param delays timers; their tasks are short and never block
 * @param executor where background loads, asynchronous loads and their continuations run
 * @param parking how a synchronous caller waits
 */
public record Platform(TimeSource time, RandomSource random, Delays delays, Executor executor, Parking parking) {

    /** The JVM's clock, per-thread randomness, one shared timer thread and a pool of daemon threads. */
    public static Platform system() {
        return SystemPlatform.INSTANCE;
    }

    /** The same surroundings with another executor for loads. */
    public Platform withExecutor(Executor other) {
        return new Platform(time, random, delays, other, parking);
    }
}
