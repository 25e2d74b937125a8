package dev.corral.simulator.plan;

import dev.corral.Strategy.Who;
import dev.corral.simulator.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** All processes, and which of them the next reader that matters can belong to. */
final class Nodes {
    private final World world;
    private final PlanStrategy strategy;
    private final IntFunction<Node> maker;
    private final int nodes;
    private final SplittableRandom random;
    private final List<Node> all = new ArrayList<>();
    private final Crowd ready = new Crowd();
    private final Crowd free = new Crowd();

    /** @param maker makes the process with that number */
    Nodes(World world, PlanStrategy strategy, int nodes, IntFunction<Node> maker) {
        this.world = world;
        this.strategy = strategy;
        this.nodes = nodes;
        this.maker = maker;
        this.random = world.random("processes");
    }

    void begin() {
        for (int i = 0; i < (strategy.flights() ? nodes : 1); i++) {
            another();
        }
    }

    private Node another() {
        Node process = maker.apply(all.size());
        all.add(process);
        changed(process);
        return process;
    }

    List<Node> all() {
        return all;
    }

    /** Its state has changed. */
    void changed(Node process) {
        long now = world.now();
        boolean canRefresh = strategy.flights() ? process.isReady(now) : process.isIdle(now);
        put(ready, process, canRefresh);
        put(free, process, process.waiters == 0);
    }

    private static void put(Crowd crowd, Node process, boolean in) {
        if (in) {
            crowd.add(process);
        } else {
            crowd.remove(process);
        }
    }

    /** The store has a new entry: the engine is quiet no more. */
    void renewed() {
        all.forEach(process -> {
            process.quietUntil = 0;
            process.toLearn = 0;
            changed(process);
        });
    }

    /** Which share of the readers could begin a refresh. */
    double canRefresh() {
        return strategy.flights() ? (double) ready.size() / nodes : 1;
    }

    /** Which share of the readers would be the first of their process to wait. */
    double canMiss() {
        return strategy.everyCallerAsks() ? 1 : (double) free.size() / nodes;
    }

    /** The process of a reader that could begin a refresh. */
    Node refresher() {
        return strategy.flights() ? ready.any(random) : idle();
    }

    /** The process of a reader that finds nothing. */
    Node misser() {
        return strategy.axes().who() == Who.EVERYBODY || !strategy.flights() ? any() : free.any(random);
    }

    /** The process of any reader. */
    Node any() {
        return strategy.flights() ? all.get(random.nextInt(nodes)) : idle();
    }

    private Node idle() {
        return ready.size() > 0 ? ready.any(random) : another();
    }
}
