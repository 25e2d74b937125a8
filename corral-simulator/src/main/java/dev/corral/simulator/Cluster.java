package dev.corral.simulator;

import java.util.ArrayList;
import java.util.List;

/** The nodes, of which some crash and come back as another incarnation. */
final class Cluster {
    private final World world;
    private final Server server;
    private final Database database;
    private final History history;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> incarnations = new ArrayList<>();

    Cluster(World world, Server server, Database database, History history) {
        this.world = world;
        this.server = server;
        this.database = database;
        this.history = history;
        for (int i = 0; i < history.scenario.nodes(); i++) {
            incarnations.add(0);
            nodes.add(new Node(i, 0, world, server, database, history));
        }
    }

    List<Node> alive() {
        return nodes.stream().filter(Node::isAlive).toList();
    }

    /** The node at that place, alive or not. */
    Node at(int place) {
        return nodes.get(place);
    }

    int size() {
        return nodes.size();
    }

    void crash(Node node, long downFor) {
        history.tell(() -> "CRASH " + node);
        node.life.crash(world);
        server.leave(node.life.name);
        world.at(world.now() + downFor, () -> restart(node.index));
    }

    void restart(int place) {
        if (nodes.get(place).isAlive()) {
            return;
        }
        int incarnation = incarnations.get(place) + 1;
        incarnations.set(place, incarnation);
        Node fresh = new Node(place, incarnation, world, server, database, history);
        nodes.set(place, fresh);
        history.disturbances.disturb(fresh.life, world.now());
        if (!server.isUp()) {
            fresh.link.disconnect(1);
        }
        history.tell(() -> "START " + fresh);
    }

    /** The run is over; threads that still wait go home. */
    void end() {
        alive().forEach(node -> node.life.crash(world));
    }
}
