package dev.corral.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.corral.spi.Platform;
import dev.corral.spi.StoreClock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The entries and records of the caches of one name. A step holds the key's lock, one of a fixed number, so it is
 * atomic. Values are bounded; records are not, but each ends by itself and is swept.
 */
final class Shelf<K> {
    private static final int LOCKS = 256;
    private static final int SWEEP_AT = 1024;

    final Platform platform;
    final List<MemoryRegion<K>> regions = new CopyOnWriteArrayList<>();
    private final StoreClock clock;
    private final AtomicLong generation = new AtomicLong();
    private final Cache<K, KeyRecord.Kept> values;
    private final ConcurrentHashMap<K, KeyRecord> records = new ConcurrentHashMap<>();
    private final AtomicLong sweepAt = new AtomicLong(SWEEP_AT);
    private final Object[] locks = new Object[LOCKS];

    Shelf(Platform platform, long maximumSize) {
        this.platform = platform;
        long wall = TimeUnit.MILLISECONDS.toNanos(platform.time().wallMillis());
        this.clock = new StoreClock(wall - platform.time().nanoTime(), 0);
        this.values = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .executor(Runnable::run)
                .build();
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /** The store's clock: this node's own monotonic one, set by the wall clock once. */
    StoreClock clock() {
        return clock;
    }

    long now() {
        return clock.latestMillis(platform.time().nanoTime());
    }

    Object lock(K key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return locks[hash >>> 24];
    }

    KeyRecord.@Nullable Kept value(K key, long now) {
        KeyRecord.Kept kept = values.getIfPresent(key);
        boolean live = kept != null
                && kept.generation() == generation.get()
                && kept.entry().hardExpiry() > now;
        return live ? kept : null;
    }

    void store(K key, KeyRecord.Kept value) {
        values.put(key, value);
    }

    void remove(K key) {
        values.invalidate(key);
    }

    @Nullable
    KeyRecord record(K key, long now) {
        KeyRecord record = records.get(key);
        boolean live = record != null && record.generation == generation.get() && record.expiresAt > now;
        return live ? record : null;
    }

    KeyRecord newRecord(K key, long now) {
        sweep(now); // before the new one is there, whose end is not set yet
        KeyRecord record = new KeyRecord(platform.random().nextLong(), generation.get());
        records.put(key, record);
        return record;
    }

    void removeRecord(K key) {
        records.remove(key);
    }

    long generation() {
        return generation.get();
    }

    void nextGeneration() {
        long current = generation.incrementAndGet();
        // Not clear(): somebody may have begun a load in the new generation already.
        values.asMap().values().removeIf(kept -> kept.generation() < current);
        records.values().removeIf(record -> record.generation < current);
    }

    /** Each sweep waits until there are twice as many as the last one left, so a record costs constant time. */
    private void sweep(long now) {
        long due = sweepAt.get();
        if (records.mappingCount() >= due && sweepAt.compareAndSet(due, Long.MAX_VALUE)) {
            long current = generation.get();
            records.values().removeIf(record -> record.expiresAt <= now || record.generation != current);
            sweepAt.set(Math.max(SWEEP_AT, 2 * records.mappingCount()));
        }
    }
}
