package dev.corral.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database of a few cores behind a connection pool. Queries that have a connection share the cores evenly; the others
 * wait for one, first come first served. Each row has a version, which writes raise; a query sees the version of the
 * instant at which it got its connection, and takes its time after that.
 */
public final class Database {
    private final World world;
    private final int cores;
    private final int connections;
    private final Life life = new Life("database");
    private final Map<String, Long> versions = new HashMap<>();
    private final List<Query> active = new ArrayList<>();
    private final Deque<Query> queue = new ArrayDeque<>();
    private World.@Nullable Event next;
    private long workedUntil;
    private long copies;
    private double worked;

    /** An idle database. */
    public Database(World world, int cores, int connections) {
        this.world = world;
        this.cores = cores;
        this.connections = connections;
    }

    /** What a query saw, and when. */
    public record Seen(Map<String, Long> versions, long at) {}

    private static final class Query {
        final Coroutine caller;
        final List<String> keys;
        final int copies;
        double work;

        @Nullable
        Seen seen;

        boolean done;

        Query(Coroutine caller, List<String> keys, int copies, double work) {
            this.caller = caller;
            this.keys = keys;
            this.copies = copies;
            this.work = work;
        }
    }

    long version(String key) {
        return versions.getOrDefault(key, 0L);
    }

    /** A committed write; returns the new version. */
    long write(String key) {
        return versions.merge(key, 1L, Long::sum);
    }

    int connectionsInUse() {
        return active.size();
    }

    /** How many nanoseconds of one core have been used so far. */
    public double worked() {
        share();
        return worked;
    }

    /** Runs a query that takes that much of one core, on the calling coroutine. */
    Seen query(List<String> keys, long work, boolean ignoresInterruption) throws InterruptedException {
        return query(keys, 1, work, ignoresInterruption);
    }

    /** Runs that many equal queries, which begin and end together, each with a connection and a share of its own. */
    public Seen query(List<String> keys, int copies, long work, boolean ignoresInterruption)
            throws InterruptedException {
        Query query = new Query(Coroutine.current(), keys, copies, work);
        queue.addLast(query);
        work();
        try {
            while (!query.done) {
                query.caller.pause(Coroutine.FOREVER);
                if (!ignoresInterruption && Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            if (!query.done) { // given up, or its process has crashed: the connection is free again
                queue.remove(query);
                share();
                leave(query);
                work();
            }
        }
        Seen seen = query.seen;
        if (seen == null) {
            throw new IllegalStateException("a query ended that had not begun");
        }
        return seen;
    }

    /** Whatever made queries slow is over: none that runs or waits takes longer than that from now on. */
    void heal(double most) {
        share();
        active.forEach(query -> query.work = Math.min(query.work, most));
        queue.forEach(query -> query.work = Math.min(query.work, most));
        work();
    }

    /** Connections to those who wait for one; then the next query to end is known. */
    private void work() {
        share();
        while (!queue.isEmpty() && (copies == 0 || copies + queue.getFirst().copies <= connections)) {
            Query query = queue.removeFirst();
            Map<String, Long> rows = new HashMap<>();
            query.keys.forEach(key -> rows.put(key, version(key)));
            query.seen = new Seen(rows, world.now());
            active.add(query);
            copies += query.copies;
        }
        if (next != null) {
            next.cancel();
            next = null;
        }
        active.stream().mapToDouble(query -> query.work).min().ifPresent(least -> {
            long left = (long) Math.ceil(Math.max(0, least) / rate());
            next = world.after(life, left, this::work);
        });
    }

    /** What was done since the last look, to each its share; those that are done leave. */
    private void share() {
        double each = (world.now() - workedUntil) * rate();
        workedUntil = world.now();
        worked += each * copies;
        for (Query query : List.copyOf(active)) {
            query.work -= each;
            if (query.work <= 0.5) {
                leave(query);
                query.done = true;
                query.caller.wake(0);
            }
        }
    }

    private void leave(Query query) {
        if (active.remove(query)) {
            copies -= query.copies;
        }
    }

    /** What each copy gets of a core. */
    private double rate() {
        return copies == 0 ? 1 : Math.min(1.0, (double) cores / copies);
    }
}
