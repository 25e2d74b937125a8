package dev.corral.engine;

import dev.corral.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes that the store has not, or perhaps not, carried out. Each is replayed as an invalidation before the store is
 * trusted with its key again: of a value that was put during an outage nobody knows whether it is still the newest.
 *
 * <p>Writes of the last 30 seconds that the store did acknowledge are remembered too, and queued again when it is lost:
 * it may come back without them.
 */
final class Outbox<K> {
    static final Duration REMEMBERED = Duration.ofSeconds(30);
    private static final int MOST_KEYS = 10_000;

    private final TimeSource time;
    private final Map<K, Long> pending = new HashMap<>();
    private final Deque<Applied<K>> recent = new ArrayDeque<>();
    private long everything = -1;
    private long recentEverything;
    private boolean recentEverythingSet;
    private long version;
    private long losses;
    private long notBefore;
    private boolean held;
    private volatile boolean empty = true;

    Outbox(TimeSource time) {
        this.time = time;
    }

    /** What is to be replayed; {@code all} stands for everything. */
    record Batch<K>(long version, boolean all, List<K> keys) {}

    private record Applied<K>(K key, long at) {}

    synchronized void add(Collection<? extends K> keys) {
        version++;
        for (K key : keys) {
            pending.put(key, version);
        }
        if (pending.size() > MOST_KEYS) {
            pending.clear();
            everything = version;
        }
        empty = false;
    }

    synchronized void addEverything() {
        version++;
        pending.clear();
        everything = version;
        empty = false;
    }

    /** A put whose fate is unknown may still reach the store until then; only a replay after that undoes it. */
    synchronized void holdUntil(long instant) {
        if (!held || notBefore - instant < 0) {
            notBefore = instant;
        }
        held = true;
    }

    synchronized long heldFor(long now) {
        return held ? Math.max(0, notBefore - now) : 0;
    }

    /** How often the store was lost; to be asked before a write is sent. */
    synchronized long losses() {
        return losses;
    }

    /** The store has acknowledged a write. If it was lost since, that may have been by the store that is no more. */
    synchronized void applied(Collection<? extends K> keys, long lossesBefore) {
        if (losses != lossesBefore) {
            add(keys);
            return;
        }
        long now = time.nanoTime();
        forgetOld(now);
        for (K key : keys) {
            recent.addLast(new Applied<>(key, now));
        }
        if (recent.size() > MOST_KEYS) {
            recent.clear();
            recentEverythingSet = true;
            recentEverything = now;
        }
    }

    synchronized void appliedEverything(long lossesBefore) {
        if (losses != lossesBefore) {
            addEverything();
            return;
        }
        recent.clear();
        recentEverythingSet = true;
        recentEverything = time.nanoTime();
    }

    /** The store is lost: what it acknowledged lately is pending again. */
    synchronized void storeLost() {
        losses++;
        forgetOld(time.nanoTime());
        if (recentEverythingSet) {
            addEverything();
        } else if (!recent.isEmpty()) {
            List<K> keys = new ArrayList<>();
            recent.forEach(applied -> keys.add(applied.key));
            add(keys);
        }
        recent.clear();
        recentEverythingSet = false;
    }

    /** True if the store must not be trusted with this key. */
    boolean holds(K key) {
        if (empty) {
            return false;
        }
        synchronized (this) {
            return everything >= 0 || pending.containsKey(key);
        }
    }

    boolean isEmpty() {
        return empty;
    }

    synchronized int size() {
        return everything >= 0 ? pending.size() + 1 : pending.size();
    }

    synchronized @Nullable Batch<K> next() {
        if (empty) {
            return null;
        }
        return everything >= 0
                ? new Batch<>(everything, true, List.of())
                : new Batch<>(version, false, List.copyOf(pending.keySet()));
    }

    /**
     * Takes out what has been replayed, except what was added again meanwhile. A replay is a write like any other: the
     * next loss of the store may take it along.
     */
    synchronized void replayed(Batch<K> batch, long lossesBefore) {
        if (losses != lossesBefore) {
            return; // acknowledged by a store that is no more
        }
        if (batch.all) {
            appliedEverything(lossesBefore);
        } else {
            applied(batch.keys, lossesBefore);
        }
        if (batch.all && everything == batch.version) {
            everything = -1;
        }
        for (K key : batch.keys) {
            pending.computeIfPresent(key, (k, added) -> added <= batch.version ? null : added);
        }
        empty = everything < 0 && pending.isEmpty();
        if (empty) {
            held = false;
        }
    }

    private void forgetOld(long now) {
        long horizon = now - REMEMBERED.toNanos();
        while (!recent.isEmpty() && recent.getFirst().at - horizon < 0) {
            recent.removeFirst();
        }
        if (recentEverythingSet && recentEverything - horizon < 0) {
            recentEverythingSet = false;
        }
    }
}
