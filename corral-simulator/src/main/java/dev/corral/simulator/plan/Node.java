package dev.corral.simulator.plan;

import dev.corral.Cache;
import dev.corral.CacheBuilder;
import dev.corral.Corral;
import dev.corral.LoadLimiter;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.Who;
import dev.corral.memory.MemoryStore;
import dev.corral.simulator.Life;
import dev.corral.simulator.World;
import dev.corral.spi.Parking;
import dev.corral.spi.Platform;
import dev.corral.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;

/** A process with the real cache in it, and what is known from outside of what it is doing. */
final class Node {
    static final String KEY = "hot";
    /** Nobody gives up: the plan tells how long readers would have to wait. */
    private static final Duration PATIENCE = Duration.ofHours(2);

    private static final long WALL = 1_700_000_000_000L;
    private static final long MILLISECOND = 1_000_000;

    final int place;
    final Life life;
    final Dice dice;
    final Cache<String, Value> cache;
    /** It loads, or is about to. */
    boolean loading;
    /** How many of its readers that were simulated wait. */
    int waiters;
    /** So many more readers it must see, whatever it is doing, or it would remember the gap that made it ask. */
    int toLearn;
    /** When the reader came that began a refresh and waits for it; not if negative. */
    long chosenAt = -1;
    /** Until then the engine does not ask for the lease again: the store has refused it. */
    long quietUntil;
    /** How many equal readers the one stands for that asks now, or waits. */
    int readers = 1;
    /** How many equal loads the one stands for that it begins now. */
    int copies = 1;

    Node(int place, World world, MemoryStore store, PlanSettings settings, PlanStrategy strategy, Watch watch) {
        this.place = place;
        this.life = new Life("node" + place);
        this.dice = new Dice(world.random("dice " + place));
        int[] copiesOfThis = {1};
        Platform platform = platform(world, life, dice, task -> {
            int asked = copies;
            world.begin(life, 0, () -> {
                copiesOfThis[0] = asked;
                task.run();
            });
        });
        this.cache = builder(settings, strategy)
                .platform(platform)
                .store(new WatchedStore(store, this, watch))
                .build(key -> watch.load(this, copiesOfThis[0]));
    }

    static Platform platform(World world, Life life, Dice dice, Executor loads) {
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return world.now();
            }

            @Override
            public long wallMillis() {
                return WALL + world.now() / MILLISECOND;
            }
        };
        return new Platform(
                time,
                dice,
                (nanos, task) -> world.after(life, nanos, task)::cancel,
                loads,
                task -> world.after(life, 0, task),
                new NoParking());
    }

    private static CacheBuilder<Object, Object> builder(PlanSettings settings, PlanStrategy strategy) {
        CacheBuilder<Object, Object> builder = Corral.newBuilder("plan")
                .strategy(strategy.axes())
                .expireAfterWrite(settings.ttl())
                .jitter(0)
                .waitTimeout(PATIENCE)
                .maximumLoadTime(PATIENCE);
        if (strategy.policy() != null) {
            builder.earlyRefresh(strategy.policy());
        }
        if (strategy.axes().meanwhile() == Meanwhile.STALE) {
            builder.serveStaleWhileRefreshing(strategy.window() == null ? settings.ttl() : strategy.window());
        }
        if (strategy.axes().who() == Who.EVERYBODY) {
            builder.limit(LoadLimiter.unlimited());
        }
        if (strategy.axes().who() == Who.JOB) {
            builder.precompute(job -> {
                job.keys(KEY);
                if (strategy.every() != null) {
                    job.every(strategy.every());
                }
            });
        }
        return builder;
    }

    /** True if a reader of it can begin a refresh, or be learnt from. */
    boolean isReady(long now) {
        return toLearn > 0 || (!loading && quietUntil <= now);
    }

    /** True if nothing at all is going on in it. */
    boolean isIdle(long now) {
        return waiters == 0 && isReady(now);
    }

    /** Readers here do not hold a thread. */
    private static final class NoParking implements Parking {
        @Override
        public void park(Object blocker, long nanos) {
            throw new UnsupportedOperationException("readers of a plan wait without a thread");
        }

        @Override
        public void unpark(Thread thread) {}
    }
}
