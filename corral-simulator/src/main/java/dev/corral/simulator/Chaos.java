package dev.corral.simulator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Makes the faults of a scenario happen, each at instants of its own. */
final class Chaos {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;

    private final World world;
    private final History history;
    private final Scenario scenario;
    private final Cluster cluster;
    private final Server server;
    private final SplittableRandom luck;

    Chaos(World world, History history, Cluster cluster, Server server) {
        this.world = world;
        this.history = history;
        this.scenario = history.scenario;
        this.cluster = cluster;
        this.server = server;
        this.luck = world.random("chaos");
    }

    void begin() {
        every(Fault.PARTITION, 5, () -> anyNode(this::partition));
        every(Fault.DISCONNECT, 5, () -> anyNode(node -> node.link.disconnect(upTo(3 * SECOND))));
        every(Fault.NODE_PAUSE, 5, () -> anyNode(this::pause));
        every(Fault.NODE_CRASH, 6, () -> anyNode(this::crash));
        every(Fault.STORE_FREEZE, 6, this::freeze);
        every(Fault.STORE_SLOW, 6, this::slowDown);
        every(Fault.STORE_FAILOVER, 4, this::failOver);
        every(Fault.STORE_EMPTY, 7, this::restartEmpty);
        every(Fault.STORE_FLUSH, 6, this::flush);
        every(Fault.STORE_EVICTION, 1, this::evict);
        every(Fault.DATABASE_DOWN, 6, () -> history.databaseGoesDown(world.now() + upTo(3 * SECOND)));
    }

    private void every(Fault fault, long seconds, Runnable action) {
        if (scenario.has(fault)) {
            world.at(world.now() + upTo(2 * seconds * SECOND), () -> {
                if (history.storm()) {
                    history.tell(() -> "FAULT " + fault);
                    action.run();
                    every(fault, seconds, action);
                }
            });
        }
    }

    private long upTo(long nanos) {
        return 1 + luck.nextLong(nanos);
    }

    private void anyNode(Consumer<Node> action) {
        List<Node> alive = cluster.alive();
        if (!alive.isEmpty()) {
            action.accept(alive.get(luck.nextInt(alive.size())));
        }
    }

    /** In one direction or both; what is sent is lost, or comes afterwards. */
    private void partition(Node node) {
        long nanos = upTo(4 * SECOND);
        int direction = luck.nextInt(4);
        boolean drops = luck.nextBoolean();
        if (direction != 1) {
            node.link.up.block(nanos, drops);
        }
        if (direction != 0) {
            node.link.down.block(nanos, drops);
        }
        if (direction >= 2 && luck.nextBoolean()) {
            node.link.news.block(nanos, drops);
        }
        history.disturbances.disturb(node.life, world.now() + nanos);
    }

    private void pause(Node node) {
        long nanos = upTo(luck.nextBoolean() ? SECOND / 2 : 5 * SECOND);
        history.disturbances.pause(node.life, world.now(), world.now() + nanos);
        node.life.pause(world, nanos);
    }

    /** Now, or right after one of its next steps has been sent. */
    private void crash(Node node) {
        int steps = luck.nextInt(8);
        if (steps == 0) {
            cluster.crash(node, upTo(3 * SECOND));
            return;
        }
        int[] left = {steps};
        node.link.onStep = () -> {
            if (--left[0] == 0) {
                world.at(world.now(), () -> {
                    if (node.isAlive() && history.storm()) {
                        cluster.crash(node, upTo(3 * SECOND));
                    }
                });
            }
        };
    }

    // ---- the store

    private void storeDisturbed(long nanos) {
        history.disturbances.disturb("store", world.now() + nanos);
    }

    private void freeze() {
        long nanos = upTo(4 * SECOND);
        storeDisturbed(nanos + SECOND);
        server.freeze(nanos);
    }

    private void slowDown() {
        long nanos = upTo(4 * SECOND);
        storeDisturbed(nanos + 5 * SECOND);
        server.slowDown(upTo(100 * MILLISECOND), nanos);
    }

    private void failOver() {
        long lag = upTo(3 * SECOND);
        long down = upTo(2 * SECOND);
        long asOf = world.now() - lag;
        storeDisturbed(down);
        server.goDown();
        history.forgotten(asOf, world.now());
        cluster.alive().forEach(node -> node.link.disconnect(down));
        world.at(world.now() + down, () -> {
            if (!server.isUp()) {
                server.comeUpAsOf(asOf);
            }
        });
    }

    private void restartEmpty() {
        long down = upTo(2 * SECOND);
        storeDisturbed(down);
        server.goDown();
        cluster.alive().forEach(node -> node.link.disconnect(down));
        world.at(world.now() + down, () -> {
            if (!server.isUp()) {
                server.comeUpEmpty();
            }
        });
    }

    private void flush() {
        storeDisturbed(0);
        server.flush();
    }

    private void evict() {
        String key = scenario.keys().get(luck.nextInt(scenario.keys().size()));
        int what = luck.nextInt(3);
        history.disturbances.disturb(key, world.now());
        server.evict(key, what != 1, what != 0);
    }
}
