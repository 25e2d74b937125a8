package dev.corral.simulator;

import dev.corral.Cache;
import dev.corral.Delivery;
import dev.corral.Lookup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The users of a cluster: read, mostly the hot keys, and now and then change a row and tell the cache. */
final class Traffic {
    private final World world;
    private final History history;
    private final Scenario scenario;
    private final Database database;
    private final Reads reads;
    private final SplittableRandom luck;
    private final Supplier<List<Node>> nodes;

    Traffic(World world, History history, Database database, Reads reads, Supplier<List<Node>> nodes) {
        this.nodes = nodes;
        this.world = world;
        this.history = history;
        this.scenario = history.scenario;
        this.database = database;
        this.reads = reads;
        this.luck = world.random("traffic");
    }

    /** One user does one thing at that node. */
    void next(Node node) {
        if (luck.nextInt(100) < scenario.writesPerHundred()) {
            world.begin(node.life, 0, () -> write(node));
            return;
        }
        String key = key();
        switch (luck.nextInt(12)) {
            case 0, 1, 2, 3 -> sync(node, "lookup", key);
            case 4, 5 -> sync(node, "get", key);
            case 6, 7 -> async(node, key);
            case 8 -> sync(node, "getIfReady", key);
            case 9 -> sync(node, "getIfPresent", key);
            case 10 -> getAll(node);
            default -> {
                if (luck.nextInt(6) == 0) {
                    refresh(node, key);
                } else {
                    sync(node, "lookup", key);
                }
            }
        }
    }

    private String key() {
        List<String> keys = scenario.keys();
        return keys.get(Math.min(luck.nextInt(keys.size()), luck.nextInt(keys.size())));
    }

    // ---- synchronous reads

    void sync(Node node, String kind, String key) {
        world.begin(node.life, 0, () -> {
            Duration patience = kind.startsWith("getIf") ? Duration.ZERO : scenario.patience();
            Call call = reads.begins(node, kind, List.of(key), patience);
            maybeInterrupt();
            long before = Coroutine.current().loading;
            try {
                read(node.cache, call, kind, key);
                reads.ends(call, Coroutine.current().loading - before);
            } catch (RuntimeException e) {
                reads.failed(call, e, Coroutine.current().loading - before);
            }
        });
    }

    private void read(Cache<String, Row> cache, Call call, String kind, String key) {
        if (kind.equals("get")) {
            reads.served(call, cache.get(key), null, null);
        } else if (kind.equals("getIfPresent")) {
            reads.served(call, cache.getIfPresent(key), null, null);
        } else {
            Lookup<Row> lookup = kind.equals("lookup") ? cache.lookup(key) : cache.getIfReady(key);
            reads.served(call, lookup.value(), lookup.source(), lookup.outcome());
        }
    }

    private void maybeInterrupt() {
        if (history.storm() && scenario.has(Fault.INTERRUPTED_CALLERS) && luck.nextInt(10) == 0) {
            Coroutine victim = Coroutine.current();
            Life life = victim.life();
            Object call = new Object();
            victim.now = call;
            world.after(life, luck.nextLong(500_000_000), () -> {
                if (victim.now == call) {
                    victim.interrupt();
                }
            });
        }
    }

    private void getAll(Node node) {
        List<String> keys = new ArrayList<>(scenario.keys());
        keys.removeIf(key -> luck.nextInt(3) == 0);
        if (keys.isEmpty()) {
            return;
        }
        world.begin(node.life, 0, () -> {
            Duration patience = scenario.patience().multipliedBy(keys.size());
            Call call = reads.begins(node, "getAll", keys, patience);
            long before = Coroutine.current().loading;
            try {
                node.cache.getAll(keys).values().forEach(row -> reads.served(call, row, null, null));
                reads.ends(call, Coroutine.current().loading - before);
            } catch (RuntimeException e) {
                reads.failed(call, e, Coroutine.current().loading - before);
            }
        });
    }

    // ---- asynchronous reads

    private void async(Node node, String key) {
        Call call = reads.begins(node, "getAsync", List.of(key), scenario.patience());
        answered(call, node.cache.getAsync(key));
    }

    private void refresh(Node node, String key) {
        Call call = reads.begins(node, "refresh", List.of(key), scenario.patience());
        answered(call, node.cache.refresh(key));
    }

    private void answered(Call call, CompletableFuture<@Nullable Row> answer) {
        answer.whenComplete((row, failure) -> {
            if (call.life.isDead()) {
                return;
            }
            if (failure == null) {
                reads.ends(call, 0);
                reads.served(call, row, null, null);
            } else {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                reads.failed(call, cause, 0);
            }
        });
    }

    // ---- writes

    private void write(Node node) {
        String key = key();
        switch (luck.nextInt(10)) {
            case 0 -> {
                scenario.keys().forEach(database::write);
                written(node, "invalidateAll", List.of(), () -> node.cache.invalidateAll());
            }
            case 1, 2 -> {
                List<String> some = scenario.keys()
                        .subList(0, 1 + luck.nextInt(scenario.keys().size()));
                some.forEach(database::write);
                written(node, "invalidate", some, () -> node.cache.invalidateAll(some));
            }
            case 3, 4, 5, 6 -> {
                database.write(key);
                written(node, "invalidate", List.of(key), () -> node.cache.invalidate(key));
            }
            default -> put(node, key, database.write(key));
        }
    }

    private void put(Node node, String key, long version) {
        Write write = new Write(history.number(), node.life, "put", List.of(key), world.now());
        Row row = new Row(key, version, world.now(), write);
        answered(write, () -> node.cache.put(key, row));
    }

    Write written(Node node, String kind, List<String> keys, Supplier<Delivery> action) {
        return answered(new Write(history.number(), node.life, kind, keys, world.now()), action);
    }

    private Write answered(Write write, Supplier<Delivery> action) {
        history.begins(write);
        history.tell(() -> "WRITE " + write);
        readAround(write);
        Delivery delivery = action.get();
        write.answered(delivery, world.now());
        history.ends(write);
        history.tell(() -> "DONE  " + write);
        readAround(write);
        long took = world.now() - write.began();
        long allowed = scenario.storeTimeout().toNanos()
                + 2_000_000_000L
                + history.disturbances.paused(write.life(), write.began(), world.now());
        history.check(Invariant.ANSWERED_IN_TIME, took <= allowed, () -> write + " took " + History.time(took) + " s");
        return write;
    }

    /** Readers that come just then, when the news is still on its way. */
    private void readAround(Write write) {
        List<String> keys = write.keys.isEmpty() ? scenario.keys() : write.keys;
        String key = keys.get(luck.nextInt(keys.size()));
        for (Node node : nodes.get()) {
            if (history.storm() && luck.nextInt(3) == 0) {
                world.after(node.life, soon(), () -> sync(node, "lookup", key));
            }
        }
    }

    /** Now and then somebody writes just when a load has ended, and its commit or the news of it is on its way. */
    void loadEnded(Set<String> keys) {
        List<Node> all = nodes.get();
        boolean writes = scenario.writesPerHundred() > 0 && luck.nextInt(6) == 0;
        if (history.storm() && writes && !all.isEmpty()) {
            Node node = all.get(luck.nextInt(all.size()));
            List<String> some = keys.stream().sorted().toList();
            world.begin(node.life, soon(), () -> {
                some.forEach(database::write);
                written(node, "invalidate", some, () -> node.cache.invalidateAll(some));
            });
        }
    }

    private long soon() {
        return luck.nextLong(4 * scenario.latency());
    }

    Map<String, Long> versions() {
        Map<String, Long> versions = new java.util.LinkedHashMap<>();
        scenario.keys().forEach(key -> versions.put(key, database.version(key)));
        return versions;
    }
}
