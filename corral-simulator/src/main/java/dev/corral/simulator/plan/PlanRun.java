package dev.corral.simulator.plan;

import dev.corral.EarlyRefresh.Measured;
import dev.corral.KeyCodec;
import dev.corral.memory.MemoryStore;
import dev.corral.simulator.Database;
import dev.corral.simulator.Life;
import dev.corral.simulator.World;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Platform;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One strategy, from the first stampede on a cold cache to the end of the measurement. */
final class PlanRun implements Watch {
    private static final long MOST_EVENTS = 2_000_000_000;
    private static final int TRACED = 5;

    private final PlanSettings settings;
    private final PlanStrategy strategy;
    private final World world;
    private final Life readers = new Life("readers");
    private final Database database;
    private final SplittableRandom luck;
    private final Region<String> eye;
    private final Nodes processes;
    private final Tally tally = new Tally();
    private final Trace trace;
    private final Served served;
    private final Outlook outlook;
    private final Arrivals arrivals;
    private final boolean looksAtGaps;
    private @Nullable Entry entry;

    private PlanRun(PlanSettings settings, PlanStrategy strategy, boolean oneByOne) {
        this.settings = settings;
        this.strategy = strategy;
        // The dice of neighbouring seeds would be the same ones, each a throw behind the other.
        this.world = new World(new SplittableRandom(settings.seed()).nextLong(), MOST_EVENTS);
        this.luck = world.random("loads");
        this.database = new Database(
                world, settings.database().cores(), settings.database().connections());
        Platform platform = Node.platform(
                world, new Life("store"), new Dice(world.random("store")), task -> world.at(world.now(), task));
        MemoryStore store = MemoryStore.on(platform);
        this.eye = store.open(
                new RegionSettings<>("plan", KeyCodec.of(String.class), 1, Duration.ofHours(1), Duration.ofSeconds(1)),
                new Deaf());
        Chance chance = chance();
        this.looksAtGaps = chance != null && chance.looksAtGaps();
        this.processes = new Nodes(
                world, strategy, settings.nodes(), place -> new Node(place, world, store, settings, strategy, this));
        Duration traced = settings.ttl().multipliedBy(TRACED);
        this.trace =
                new Trace(traced.compareTo(settings.length()) < 0 ? traced : settings.length(), settings.perNano());
        this.served = new Served(oneByOne ? 0 : settings.perNano(), trace);
        this.outlook = new Outlook(chance, world.random("outlook"), settings.nodes() / settings.perNano());
        this.arrivals = oneByOne
                ? new EveryReader(world, readers, processes, served, settings, strategy)
                : new Readers(world, readers, processes, served, outlook, settings, strategy);
    }

    private @Nullable Chance chance() {
        long load = settings.load().toNanos();
        Measured typical = new Measured(settings.ttl().toNanos(), load, load, load / 2, Long.MAX_VALUE);
        return strategy.policy() == null ? null : new Chance(strategy.policy(), world.random("chance"), typical);
    }

    static PlanResult of(PlanSettings settings, PlanStrategy strategy) {
        return new PlanRun(settings, strategy, false).play();
    }

    /** As {@link #of}, with each single read. */
    static PlanResult oneByOne(PlanSettings settings, PlanStrategy strategy) {
        return new PlanRun(settings, strategy, true).play();
    }

    private PlanResult play() {
        try {
            processes.begin();
            arrivals.begin();
            world.pass(settings.warmUp().toNanos());
            long begun = world.now();
            double workedBefore = database.worked();
            tally.begin(begun);
            served.begin(begun);
            trace.begin(begun);
            trace.until(begun, entry, tally.running());
            world.pass(settings.length().toNanos());
            served.until(world.now());
            trace.until(world.now(), entry, tally.running());
            tally.end(world.now());
            return result(world.now() - begun, database.worked() - workedBefore);
        } finally {
            readers.crash(world);
            processes.all().forEach(process -> process.life.crash(world));
            world.pass(0); // threads that still load go home
            world.end();
        }
    }

    // ---- what is watched

    @Override
    public Value load(Node process, int copies) throws InterruptedException {
        tally.began(world.now(), copies, entry);
        trace.until(world.now(), entry, tally.running());
        double factor = 1 + settings.varies() * (2 * luck.nextDouble() - 1);
        database.query(List.of(Node.KEY), copies, (long) (settings.load().toNanos() * factor), false);
        tally.ended(world.now(), copies);
        trace.until(world.now(), entry, tally.running());
        return new Value(world.now());
    }

    @Override
    public void asked(Node process, boolean forLease, Acquisition answer) {
        if (forLease) {
            tally.asked(process.readers);
        }
        if (looksAtGaps) {
            process.toLearn = Outlook.TO_LEARN;
        }
        if (answer instanceof Acquisition.Granted) {
            process.loading = true;
            processes.changed(process);
        } else if (answer instanceof Acquisition.Busy busy && process.waiters == 0 && !process.loading) {
            quiet(process, world.now() + busy.leftNanos());
        }
    }

    /** The engine does not ask again before that. */
    private void quiet(Node process, long until) {
        process.quietUntil = until;
        processes.changed(process);
        world.at(process.life, until, () -> {
            processes.changed(process);
            arrivals.changed();
        });
    }

    @Override
    public void committed(Node process, Draft draft, Committed answer) {
        long now = world.now();
        if (answer != Committed.REJECTED && draft.payload() instanceof Value value) {
            value.storedAt(now);
            trace.until(now, entry, tally.running());
            entry = stored();
            served.replaced(now, entry);
            outlook.replaced(entry);
            tally.stored();
            processes.renewed();
        }
        landed(process);
    }

    @Override
    public void gaveUp(Node process) {
        landed(process);
    }

    private void landed(Node process) {
        process.loading = false;
        if (process.chosenAt >= 0) {
            served.answered(1, process.chosenAt, world.now(), 0);
            process.chosenAt = -1;
        }
        processes.changed(process);
        arrivals.changed();
    }

    private @Nullable Entry stored() {
        Reading reading = eye.read(Node.KEY).toCompletableFuture().join();
        return reading instanceof Reading.Found found ? Entry.of(found.entry(), eye.clock()) : null;
    }

    // ---- the result

    private PlanResult result(long nanos, double worked) {
        double ttls = (double) nanos / settings.ttl().toNanos();
        double reads = served.reads();
        Waits waits = served.waits;
        double cores = (double) settings.database().cores() * nanos;
        double busy = settings.database().isUnlimited() ? (double) tally.busyNanos / nanos : worked / cores;
        return new PlanResult(
                strategy.name(),
                reads,
                tally.loads,
                tally.loads / ttls,
                per((double) tally.loads, tally.episodes),
                tally.most,
                busy,
                waits.noticed() / reads,
                served.unansweredShare(),
                waits.percentile(0.5, reads),
                waits.percentile(0.99, reads),
                waits.percentile(0.999, reads),
                seconds(per((double) tally.ageNanos, tally.episodes)),
                seconds(served.meanAge()),
                seconds((double) served.oldest()),
                per((double) tally.earlyEpisodes, tally.episodes),
                seconds(per((double) tally.leadNanos, tally.earlyEpisodes)),
                per(tally.attempts, tally.episodes),
                trace.series());
    }

    private static double per(double sum, long count) {
        return count == 0 ? 0 : sum / count;
    }

    private static double seconds(double nanos) {
        return nanos / TimeUnit.SECONDS.toNanos(1);
    }

    /** The one who only looks hears nothing. */
    private static final class Deaf implements RegionListener<String> {
        @Override
        public void stored(String key) {}

        @Override
        public void invalidated(String key) {}

        @Override
        public void failed(String key) {}

        @Override
        public void invalidatedAll() {}

        @Override
        public void subscriptionLost() {}

        @Override
        public void subscribed() {}
    }
}
