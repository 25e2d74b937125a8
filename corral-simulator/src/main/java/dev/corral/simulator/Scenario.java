package dev.corral.simulator;

import dev.corral.Strategy;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.When;
import dev.corral.Strategy.Who;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What a seed is about: the cluster, the settings of its caches, the traffic, and which faults are on. */
record Scenario(
        long seed,
        Set<Fault> faults,
        int nodes,
        List<String> keys,
        Strategy strategy,
        Duration ttl,
        double jitter,
        @Nullable Duration near,
        Duration staleWhileRefreshing,
        Duration staleOnError,
        Duration patient,
        @Nullable Duration soft,
        @Nullable Duration hard,
        Duration maximumLoad,
        Duration lease,
        Duration poll,
        Duration backOff,
        Duration storeTimeout,
        int permits,
        int queue,
        boolean bulkLoader,
        boolean adaptive,
        boolean nestedLoads,
        int writesPerHundred,
        Duration load,
        Duration gap,
        Duration length,
        long latency,
        int cores,
        int connections) {

    /** The key that strategy external keeps ready. */
    static final String WATCHED = "k0";

    static Scenario draw(long seed) {
        return new Draw(seed).scenario();
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    boolean needsLease() {
        return strategy.who() == Who.CLUSTER || strategy.who() == Who.JOB;
    }

    Duration patience() {
        return hard != null ? hard : patient;
    }

    Duration staleWindow() {
        return staleWhileRefreshing.compareTo(staleOnError) > 0 ? staleWhileRefreshing : staleOnError;
    }

    private static final class Draw {
        private final long seed;
        private final SplittableRandom dice;

        Draw(long seed) {
            this.seed = seed;
            this.dice = new SplittableRandom(seed * 0x9E3779B97F4A7C15L);
        }

        Scenario scenario() {
            Strategy strategy = strategy();
            Duration stale = dice.nextBoolean() ? Duration.ZERO : millis(500, 4_000);
            if (strategy.meanwhile() == Meanwhile.STALE && stale.isZero()) {
                stale = millis(500, 4_000);
            }
            Duration onError = dice.nextBoolean() ? Duration.ZERO : millis(500, 6_000);
            boolean anyStale = !stale.isZero() || !onError.isZero();
            Duration hard = dice.nextInt(4) == 0 ? millis(400, 3_000) : null;
            Duration soft = anyStale && dice.nextInt(4) == 0 ? millis(50, 399) : null;
            Duration lease = millis(400, 2_000);
            return new Scenario(
                    seed,
                    faults(),
                    dice.nextInt(1, 6),
                    keys(dice.nextInt(1, 9)),
                    strategy,
                    millis(1_000, 8_000),
                    dice.nextBoolean() ? 0 : 0.1,
                    dice.nextInt(3) == 0 ? null : millis(200, 3_000),
                    stale,
                    onError,
                    millis(700, 4_000),
                    soft,
                    hard,
                    lease.plus(millis(500, 8_000)),
                    lease,
                    millis(50, 250),
                    millis(200, 1_000),
                    millis(200, 900),
                    dice.nextInt(1, 9),
                    dice.nextBoolean() ? 1_000 : dice.nextInt(3),
                    dice.nextBoolean(),
                    dice.nextInt(3) == 0,
                    dice.nextInt(4) == 0,
                    List.of(0, 2, 5, 15).get(dice.nextInt(4)),
                    dice.nextInt(3) == 0 ? millis(300, 2_500) : millis(5, 200),
                    millis(30, 200),
                    millis(4_000, 10_000),
                    dice.nextInt(4) == 0 ? dice.nextLong(3_000_000, 10_000_000) : dice.nextLong(100_000, 3_000_000),
                    dice.nextInt(1, 5),
                    dice.nextInt(2, 11));
        }

        private Strategy strategy() {
            return switch (dice.nextInt(12)) {
                case 0 -> Strategy.naive();
                case 1 -> new Strategy(When.EXPIRY, Who.PROCESS, Meanwhile.WAIT);
                case 2 -> Strategy.external();
                case 3 -> new Strategy(When.EARLY, Who.CLUSTER, Meanwhile.PENDING);
                case 4 -> new Strategy(When.EXPIRY, Who.CLUSTER, Meanwhile.STALE);
                case 5, 6, 7 -> Strategy.mutex();
                default -> Strategy.early();
            };
        }

        /** Some seeds are calm, some have one or two faults, some have half of them. */
        private Set<Fault> faults() {
            double share = List.of(0.0, 0.06, 0.06, 0.15, 0.15, 0.4).get(dice.nextInt(6));
            Set<Fault> on = EnumSet.noneOf(Fault.class);
            for (Fault fault : Fault.values()) {
                if (dice.nextDouble() < share) {
                    on.add(fault);
                }
            }
            return on;
        }

        private static List<String> keys(int count) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                keys.add("k" + i);
            }
            return List.copyOf(keys);
        }

        private Duration millis(long from, long to) {
            return Duration.ofMillis(dice.nextLong(from, to + 1));
        }
    }
}
