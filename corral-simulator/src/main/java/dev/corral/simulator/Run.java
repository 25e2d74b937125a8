package dev.corral.simulator;

import dev.corral.KeyCodec;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.Who;
import dev.corral.spi.RegionSettings;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One seed from its first event to the last: traffic among faults, then the faults stop and everything must come right,
 * then everything is closed and nothing may be left.
 */
final class Run {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    /** After the last fault: breaker probes, held-back replays, back-offs, the database's queue. */
    static final long CONVERGES_WITHIN = 20 * SECOND;

    private final World world;
    private final Scenario scenario;
    private final History history;
    private final Monitor monitor;
    private final Server server;
    private final Database database;
    private final Cluster cluster;
    private final Reads reads;
    private final Traffic traffic;
    private final SplittableRandom luck;

    Run(Scenario scenario, boolean tracing) {
        this.scenario = scenario;
        this.world = new World(scenario.seed());
        this.history = new History(world, scenario, tracing);
        this.monitor = new Monitor(history);
        RegionSettings<String> settings = new RegionSettings<>(
                "rows", KeyCodec.of(String.class), 1, scenario.maximumLoad().multipliedBy(2), scenario.storeTimeout());
        this.server = new Server(world, monitor, settings);
        this.database = new Database(world, scenario.cores(), scenario.connections());
        this.cluster = new Cluster(world, server, database, history);
        this.reads = new Reads(world, history);
        this.traffic = new Traffic(world, history, database, reads, cluster::alive);
        this.luck = world.random("arrivals");
        history.onLoadEnd = traffic::loadEnded;
    }

    History history() {
        return history;
    }

    World world() {
        return world;
    }

    /** Runs to the end, or to what ends it. */
    History play() {
        try {
            storm();
            if (history.broken().isEmpty()) {
                calm();
                oneLoadEach();
                close();
            }
            history.judgeSuspects();
        } catch (IllegalStateException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            history.check(
                    Invariant.EXPLAINED_ERROR,
                    false,
                    () -> e.getMessage() + ": " + cause + " at "
                            + List.of(cause.getStackTrace()).subList(0, Math.min(12, cause.getStackTrace().length)));
        }
        cluster.end();
        world.pass(0); // threads that still wait go home
        world.end();
        return history;
    }

    private void storm() {
        history.storm(true);
        for (int i = 0; i < cluster.size(); i++) {
            arrive(i);
        }
        new Chaos(world, history, cluster, server).begin();
        world.pass(scenario.length().toNanos());
        history.storm(false);
    }

    private void arrive(int place) {
        long gap = 1 + (long) (-Math.log(1 - luck.nextDouble()) * scenario.gap().toNanos());
        world.at(world.now() + gap, () -> {
            if (history.storm()) {
                Node node = cluster.at(place);
                int burst = luck.nextInt(20) == 0 ? 8 : 1; // callers like company
                for (int i = 0; i < burst && node.isAlive(); i++) {
                    world.after(node.life, 0, () -> traffic.next(node));
                }
                arrive(place);
            }
        });
    }

    /** The faults are over. In a stated time everybody reads what was written last. */
    private void calm() {
        history.tell(() -> "CALM");
        server.heal();
        database.heal(50 * MILLISECOND);
        for (int i = 0; i < cluster.size(); i++) {
            cluster.restart(i);
            cluster.at(i).heal();
        }
        long over = world.now();
        world.pass(CONVERGES_WITHIN);
        for (int i = 0; i < 8 && !reads.open().isEmpty(); i++) {
            world.pass(5 * SECOND); // a caller that runs a loader has as long as that takes
        }
        history.check(
                Invariant.ANSWERED_IN_TIME,
                reads.open().isEmpty(),
                () -> "still waiting " + (world.now() - over) / SECOND + " s after: " + reads.open());
    }

    private void oneLoadEach() {
        readAll();
        Node first = cluster.at(0);
        boolean[] done = {false};
        world.begin(first.life, 0, () -> {
            Write all = traffic.written(first, "invalidateAll", List.of(), () -> first.cache.invalidateAll());
            history.check(Invariant.CONVERGENCE, all.isApplied(), () -> all + " although all is well");
            done[0] = true;
        });
        world.pass(2 * SECOND);
        history.check(Invariant.CONVERGENCE, done[0], () -> "a write is not answered although all is well");
        int before = history.loads();
        readAll();
        int loads = history.loads() - before;
        int most = mostLoads();
        history.check(
                Invariant.ONE_LOAD_AFTERWARDS,
                loads <= most || scenario.strategy().who() == Who.JOB, // which goes on loading
                () -> loads + " loads, allowed are " + most + " when all nodes read " + scenario.keys());
    }

    private int mostLoads() {
        int keys = scenario.keys().size();
        return switch (scenario.strategy().who()) {
            case EVERYBODY -> 2 * keys * cluster.size();
            case PROCESS -> keys * cluster.size();
            case CLUSTER, JOB -> keys;
        };
    }

    /** Every node reads every key twice, at once. All must see the version that the database has. */
    private void readAll() {
        Map<String, Long> versions = traffic.versions();
        long began = world.now();
        for (int twice = 0; twice < 2; twice++) {
            for (Node node : cluster.alive()) {
                for (String key : scenario.keys()) {
                    world.at(began, () -> traffic.sync(node, "lookup", key));
                }
            }
        }
        for (int i = 0; i < 12 && (i < 2 || !reads.open().isEmpty()); i++) {
            world.pass(5 * SECOND);
        }
        history.check(Invariant.CONVERGENCE, reads.open().isEmpty(), () -> "calm, and still waiting: " + reads.open());
        history.tell(() -> "versions are " + versions);
    }

    /** Nothing may be left in any process. */
    private void close() {
        boolean pendingOnly = scenario.strategy().meanwhile() == Meanwhile.PENDING;
        boolean job = scenario.strategy().who() == Who.JOB;
        history.tell(() -> "CLOSE " + (pendingOnly ? "pending" : "") + (job ? " job" : ""));
        for (String key : scenario.keys()) {
            history.check(
                    Invariant.NOTHING_LEAKED,
                    job || !monitor.isLeased(key, Server.wallMillis(world.now())),
                    () -> "somebody still holds the lease of " + key);
        }
        history.disturbances.disturbAll(world.now() + 20 * SECOND);
        cluster.alive().forEach(node -> {
            node.cache.close();
            node.link.close();
        });
        world.pass(12 * SECOND);
        cluster.alive().forEach(this::checkEmpty);
    }

    private void checkEmpty(Node node) {
        nothing(node, "permits in use", node.limiter.running());
        nothing(node, "loads running", node.cache.stats().loadsRunning());
        nothing(node, "loads queueing for a permit", node.limiter.queued());
        nothing(node, "timers", node.life.timers);
        nothing(node, "threads that wait", node.life.coroutines.size());
    }

    private void nothing(Node node, String what, long count) {
        history.check(Invariant.NOTHING_LEAKED, count == 0, () -> node + " is closed and has " + count + " " + what);
    }
}
