package dev.corral.simulator.plan;

import java.time.Duration;

/**
 * What is simulated: one hot key.
 *
 * @param nodes processes that share the readers evenly
 * @param rate reads a second on all nodes together
 * @param ttl the entry's time to live, without jitter
 * @param load how long a load takes when the database is idle
 * @param varies by what share, at most, chance makes a load shorter or longer
 * @param length for how long, after the warm-up
 * @param database how much the database can take
 * @param seed decides everything that is left to chance
 */
public record PlanSettings(
        int nodes,
        double rate,
        Duration ttl,
        Duration load,
        double varies,
        Duration length,
        DatabaseSize database,
        long seed) {
    private static final int WARM_UP = 10;

    /** Checks each. */
    public PlanSettings {
        require(nodes >= 1, "nodes must be at least 1, got " + nodes);
        require(rate > 0 && rate < Double.POSITIVE_INFINITY, "rate must be positive, got " + rate);
        require(ttl.toMillis() >= 1, "ttl must be at least 1 ms, got " + ttl);
        require(load.toMillis() >= 1, "load must be at least 1 ms, got " + load);
        require(varies >= 0 && varies < 1, "varies must be at least 0 and below 1, got " + varies);
        require(length.compareTo(ttl) >= 0, "length must not be below the ttl " + ttl + ", got " + length);
    }

    private static void require(boolean condition, String complaint) {
        if (!condition) {
            throw new IllegalArgumentException(complaint);
        }
    }

    /** Not measured: until then the first stampede is over and the engine knows what a load costs and how it varies. */
    Duration warmUp() {
        return ttl.multipliedBy(WARM_UP);
    }

    /** Reads a second and nanosecond. */
    double perNano() {
        return rate / 1e9;
    }
}
