package dev.corral.simulator;

import dev.corral.spi.Delays;
import dev.corral.spi.Parking;
import dev.corral.spi.Platform;
import dev.corral.spi.TimeSource;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/** The surroundings of one process: its own clock, which runs a little fast or slow, its dice, timers and threads. */
final class Machine {
    private static final long WALL = 1_700_000_000_000L;
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;

    final World world;
    final Life life;
    private final double drift;
    private final long origin;
    private final long skewMillis;
    private final long slowestStart;
    private double rejects;
    private final SplittableRandom luck;
    private final SplittableRandom dice;

    Machine(World world, Life life, Scenario scenario) {
        this.world = world;
        this.life = life;
        this.luck = world.random("machine " + life.name);
        this.dice = world.random("dice " + life.name);
        boolean drifts = scenario.has(Fault.CLOCK_DRIFT);
        this.drift = drifts ? (luck.nextDouble() - 0.5) * 2 * Estimate.DRIFT : 0;
        this.skewMillis = drifts ? luck.nextLong(-60_000, 60_000) : 0;
        this.origin = luck.nextBoolean() ? Long.MAX_VALUE - luck.nextLong(60_000_000_000L) : luck.nextLong();
        this.slowestStart = scenario.has(Fault.SLOW_EXECUTOR) ? 300 * MILLISECOND : 5 * MILLISECOND;
        this.rejects = scenario.has(Fault.REJECTING_EXECUTOR) ? 0.05 : 0;
    }

    /** From now on there are threads enough. */
    void heal() {
        rejects = 0;
    }

    long nanoTime() {
        return origin + local(world.now());
    }

    private long local(long instant) {
        return instant + (long) (instant * drift);
    }

    /** How long the world waits while this clock counts that much; never too short. */
    private long global(long nanos) {
        return nanos <= 0 ? 0 : nanos - (long) (nanos * drift / (1 + drift)) + MICROSECOND;
    }

    Platform platform() {
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return Machine.this.nanoTime();
            }

            @Override
            public long wallMillis() {
                return WALL + skewMillis + world.now() / MILLISECOND;
            }
        };
        Parking parking = new Parking() {
            @Override
            public void park(Object blocker, long nanos) {
                Coroutine.current().park(global(nanos));
            }

            @Override
            public void unpark(Thread thread) {
                ((Coroutine) thread).unpark(luck.nextLong(50 * MICROSECOND));
            }
        };
        return new Platform(time, dice::nextLong, delays(), this::execute, this::goOn, parking);
    }

    Delays delays() {
        return (nanos, task) -> {
            boolean[] over = {false};
            long late = luck.nextInt(8) == 0 ? luck.nextLong(MILLISECOND) : luck.nextLong(20 * MICROSECOND);
            World.Event event = world.after(life, global(nanos) + late, () -> {
                over[0] = true;
                life.timers--;
                task.run();
            });
            life.timers++;
            return () -> {
                if (!over[0]) {
                    over[0] = true;
                    life.timers--;
                    event.cancel();
                }
            };
        };
    }

    private void execute(Runnable task) {
        if (luck.nextDouble() < rejects) {
            throw new RejectedExecutionException("no thread");
        }
        long start = luck.nextInt(8) == 0 ? luck.nextLong(slowestStart) : luck.nextLong(200 * MICROSECOND);
        world.begin(life, start, task);
    }

    private void goOn(Runnable task) {
        if (task.getClass().getName().startsWith("com.github.benmanes.caffeine")) {
            task.run(); // bookkeeping of the near tier, at instants that depend on real threads
            return;
        }
        long start = luck.nextInt(8) == 0 ? luck.nextLong(MILLISECOND) : luck.nextLong(50 * MICROSECOND);
        world.after(life, start, task);
    }
}
