package dev.corral.simulator;

import dev.corral.Cache;
import dev.corral.CacheEvent;
import dev.corral.Strategy.Who;
import dev.corral.WaitInterruptedException;
import dev.corral.spi.Token;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A node's loader: runs queries, and checks when it begins that it may. */
final class Loads {
    private static final long LONG_AGO = 30_000_000_000L;

    private final Node node;
    private final World world;
    private final Database database;
    private final History history;
    private final SplittableRandom luck;
    private final Set<Load> running = new LinkedHashSet<>();
    private @Nullable Cache<String, Row> cache;
    private int permitsInUse;

    Loads(Node node, World world, Database database, History history) {
        this.node = node;
        this.world = world;
        this.database = database;
        this.history = history;
        this.luck = world.random("loads " + node.life.name);
    }

    void nestedReads(Cache<String, Row> own) {
        cache = own;
    }

    Row load(String key) throws InterruptedException {
        Row row = run(Set.of(key)).get(key);
        if (row == null) {
            throw new IllegalStateException("no row of " + key);
        }
        return row;
    }

    Map<String, Row> loadAll(Set<String> keys) throws InterruptedException {
        return run(new TreeSet<>(keys));
    }

    private Map<String, Row> run(Set<String> keys) throws InterruptedException {
        Coroutine thread = Coroutine.current();
        Load load = begins(keys, thread.depth > 0);
        thread.depth++;
        try {
            readAnother(load);
            return rows(load);
        } finally {
            thread.depth--;
            if (thread.depth == 0) {
                thread.loading += world.now() - load.began();
            }
            ends(load);
        }
    }

    private void ends(Load load) {
        load.endsAt(world.now());
        running.remove(load);
        history.running(load, false);
        if (!load.nested) {
            permitsInUse--;
        }
        if (node.isAlive()) {
            history.tell(() -> "END   " + load);
        }
    }

    /** A loader that needs another row asks the cache for it. */
    private void readAnother(Load load) throws InterruptedException {
        Cache<String, Row> own = cache;
        String key = load.keys.iterator().next();
        int next = history.scenario.keys().indexOf(key) + 1;
        boolean last = next >= history.scenario.keys().size();
        if (!history.scenario.nestedLoads() || load.keys.size() > 1 || last || own == null || luck.nextInt(3) > 0) {
            return;
        }
        try {
            own.lookup(history.scenario.keys().get(next));
        } catch (RuntimeException e) {
            history.tell(() -> "a nested read failed: " + e); // this row can do without
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof InterruptedException || cause instanceof WaitInterruptedException) {
                    throw new InterruptedException();
                }
            }
        }
    }

    private Map<String, Row> rows(Load load) throws InterruptedException {
        Scenario scenario = history.scenario;
        boolean storm = history.storm();
        boolean hangs = storm && scenario.has(Fault.HANGING_LOADER) && luck.nextInt(15) == 0;
        boolean fails = storm && scenario.has(Fault.DATABASE_FAILS) && luck.nextInt(4) == 0;
        boolean down = storm && history.databaseIsDown();
        long usual = scenario.load().toNanos();
        long work = usual / 2 + luck.nextLong(usual);
        if (storm && scenario.has(Fault.DATABASE_SLOW) && luck.nextInt(6) == 0) {
            work *= 8;
        }
        if (hangs) {
            work = scenario.maximumLoad().toNanos() + 2 * usual;
        }
        if (down) {
            throw new LoaderFailure(load.id);
        }
        Database.Seen seen = database.query(List.copyOf(load.keys), work, hangs && luck.nextBoolean());
        if (fails) {
            throw new LoaderFailure(load.id);
        }
        Map<String, Row> rows = new HashMap<>();
        load.keys.forEach(key -> rows.put(key, new Row(key, seen.versions().getOrDefault(key, 0L), seen.at(), load)));
        return rows;
    }

    // ---- whether it may

    private Load begins(Set<String> keys, boolean nested) {
        boolean granted = keys.stream().allMatch(this::hasGrant);
        long askedAt = keys.stream().mapToLong(this::askedAt).min().orElse(world.now());
        Load load = new Load(history.number(), node.life, keys, granted, askedAt, nested, world.now());
        if (node.isAlive()) {
            history.tell(() -> "LOAD  " + load);
            check(load);
        }
        running.add(load);
        history.running(load, true);
        return load;
    }

    /** True if this node holds more leases of the key than it runs loads of it. */
    private boolean hasGrant(String key) {
        long used = running.stream()
                .filter(load -> load.granted && !load.nested && load.keys.contains(key))
                .count();
        return grantsOf(key).size() > used;
    }

    private long askedAt(String key) {
        return grantsOf(key).values().stream().mapToLong(asked -> asked).min().orElse(world.now());
    }

    private Map<Token, Long> grantsOf(String key) {
        Map<Token, Long> open = history.grants.getOrDefault(node.life, Map.of()).get(key);
        return open == null ? Map.of() : open;
    }

    private void check(Load load) {
        if (!load.nested) {
            permitsInUse++;
        }
        history.check(
                Invariant.LOAD_LIMIT,
                permitsInUse <= history.scenario.permits(),
                () -> load + " is one more than the limiter's " + history.scenario.permits());
        history.check(
                Invariant.NO_LOAD_WITHOUT_LEASE,
                load.granted || load.nested || isTroubled(world.now() - LONG_AGO),
                () -> load + " has no lease, and the store is there");
        for (String key : load.keys) {
            for (Load other : history.running(key)) {
                boolean may = mayRunBeside(load, other, key);
                history.check(Invariant.ONE_LOAD, true, () -> ""); // judged below, once it is known who had a lease
                if (!may) {
                    history.suspect(load, other, key);
                }
            }
        }
    }

    private boolean isTroubled(long since) {
        return !node.link.breaker().allows()
                || node.cache.stats().queuedWrites() > 0
                || history.disturbances.since(node.life, since)
                || history.disturbances.since("store", since);
    }

    private boolean mayRunBeside(Load load, Load other, String key) {
        Who who = history.scenario.strategy().who();
        boolean shared = who != Who.EVERYBODY && (who != Who.PROCESS || other.life() == load.life());
        Disturbances faults = history.disturbances;
        long since = Math.min(load.askedAt, other.askedAt);
        boolean lost = other.life().isDead()
                || other.wasOverdue()
                || faults.since(other.life(), since)
                || faults.since("store", since)
                || faults.since(key, since);
        boolean outside = load.nested || other.nested || !other.granted || !load.granted;
        return !shared || lost || outside || history.gapSince(key, since);
    }

    // ---- events

    void heard(CacheEvent event) {
        history.tell(() -> node + " tells " + event);
        if (event instanceof CacheEvent.LoadOverdue overdue) {
            history.overdue();
            running.stream()
                    .filter(load -> load.keys.contains(String.valueOf(overdue.key())))
                    .forEach(Load::isOverdue);
        } else if (event instanceof CacheEvent.LeaseLost lost) {
            String key = String.valueOf(lost.key());
            long since = running.stream()
                    .filter(load -> load.keys.contains(key))
                    .mapToLong(load -> load.askedAt)
                    .min()
                    .orElse(world.now() - LONG_AGO);
            history.check(
                    Invariant.LEASE_KEPT,
                    history.disturbances.since(node.life, since)
                            || history.disturbances.since("store", since)
                            || history.disturbances.since(key, since)
                            || history.gapSince(key, since),
                    () -> node + " lost the lease of " + key + " for no reason");
        }
    }
}
