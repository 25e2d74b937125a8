package dev.corral.memory;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoredEntry;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lease protocol in plain Java. The Lua scripts of other stores say the same. */
final class MemoryRegion<K> implements Region<K> {
    private final Shelf<K> shelf;
    private final RegionListener<K> listener;
    private final long recordTime;

    MemoryRegion(Shelf<K> shelf, RegionSettings<K> settings, RegionListener<K> listener) {
        this.shelf = shelf;
        this.listener = listener;
        this.recordTime = settings.recordTime().toMillis();
        shelf.regions.add(this);
    }

    @Override
    public CompletionStage<Reading> read(K key) {
        return CompletableFuture.completedFuture(reading(key));
    }

    @Override
    public CompletionStage<Map<K, Reading>> readAll(Collection<K> keys) {
        Map<K, Reading> readings = new HashMap<>();
        keys.forEach(key -> readings.put(key, reading(key)));
        return CompletableFuture.completedFuture(readings);
    }

    private Reading reading(K key) {
        KeyRecord.Kept kept = shelf.value(key, shelf.now());
        return kept == null ? new Reading.Missing() : new Reading.Found(kept.entry());
    }

    @Override
    public CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known) {
        return step(key, () -> acquireNow(key, token, lease.toMillis(), known));
    }

    private Acquisition acquireNow(K key, Token token, long lease, @Nullable Token known) {
        long now = shelf.now();
        KeyRecord.Kept kept = shelf.value(key, now);
        if (kept != null
                && kept.entry().softExpiry() > now
                && !kept.entry().commitId().equals(known)) {
            return new Acquisition.Fresh(kept.entry());
        }
        KeyRecord record = shelf.record(key, now);
        if (record == null) {
            record = shelf.newRecord(key, now);
        }
        if (record.isOwnedBy(token, now)) {
            record.leaseUntil = now + lease; // asked twice: it lasts from the second question on
            record.expiresAt = now + recordTime;
            return granted(record, token, record.ownerOrder);
        }
        if (record.failedUntil > now) {
            return new Acquisition.BackingOff(TimeUnit.MILLISECONDS.toNanos(record.failedUntil - now), record.failure);
        }
        if (lease > 0 && record.isLeased(now)) {
            return new Acquisition.Busy(TimeUnit.MILLISECONDS.toNanos(record.leaseUntil - now));
        }
        record.lastOrder++;
        if (lease > 0) {
            record.owner = token;
            record.ownerOrder = record.lastOrder;
            record.leaseUntil = now + lease;
            record.dirty = false;
        }
        record.expiresAt = now + recordTime;
        return granted(record, token, record.lastOrder);
    }

    private static Acquisition granted(KeyRecord record, Token token, long order) {
        return new Acquisition.Granted(new Grant(token, record.epoch, order, record.failures));
    }

    @Override
    public CompletionStage<Boolean> renew(K key, Token token, Duration lease) {
        return step(key, () -> {
            long now = shelf.now();
            KeyRecord record = shelf.record(key, now);
            if (record == null || !record.isOwnedBy(token, now)) {
                return false;
            }
            record.leaseUntil = now + lease.toMillis();
            record.expiresAt = now + recordTime;
            return true;
        });
    }

    @Override
    public CompletionStage<Committed> commit(K key, Grant grant, Draft draft) {
        CompletionStage<Committed> answer = step(key, () -> commitNow(key, grant, draft));
        return announced(answer, committed -> committed != Committed.REJECTED, other -> other.stored(key));
    }

    private Committed commitNow(K key, Grant grant, Draft draft) {
        long now = shelf.now();
        KeyRecord record = shelf.record(key, now);
        if (record == null || record.epoch != grant.epoch() || record.storedOrder > grant.order()) {
            if (record != null && record.isOwnedBy(grant.token(), now)) {
                record.dropLease();
            }
            return Committed.REJECTED;
        }
        if (record.storedOrder == grant.order() && isStored(key, grant.token(), now)) {
            // Committed twice, and answered as before; a failover may have given one order to two.
            return record.dirty && record.ownerOrder == grant.order() ? Committed.STORED_LOAD_AGAIN : Committed.STORED;
        }
        keep(key, draft, grant.token(), now, record.generation);
        record.storedOrder = grant.order();
        record.failures = 0;
        record.failedUntil = 0;
        boolean owner = grant.token().equals(record.owner);
        boolean again = owner && record.dirty;
        if (owner) {
            record.dropLease(); // the dirty mark stays until the next lease, should this be committed again
        }
        return again ? Committed.STORED_LOAD_AGAIN : Committed.STORED;
    }

    private boolean isStored(K key, Token commitId, long now) {
        KeyRecord.Kept kept = shelf.value(key, now);
        return kept != null && kept.entry().commitId().equals(commitId);
    }

    private void keep(K key, Draft draft, Token commitId, long now, long generation) {
        if (draft.freshFor().isZero()) {
            shelf.remove(key);
            return;
        }
        long soft = now + draft.freshFor().toMillis();
        long hard = soft + draft.staleFor().toMillis();
        StoredEntry entry = new StoredEntry(draft.payload(), now, soft, hard, draft.cost(), commitId);
        shelf.store(key, new KeyRecord.Kept(entry, generation));
    }

    @Override
    public CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason) {
        CompletionStage<Void> done = step(key, () -> {
            long now = shelf.now();
            KeyRecord record = shelf.record(key, now);
            if (record != null && record.epoch == grant.epoch()) {
                failNow(record, grant, backOff, reason, now);
            }
            return null;
        });
        return announced(done, nothing -> true, other -> other.failed(key));
    }

    private void failNow(KeyRecord record, Grant grant, Duration backOff, String reason, long now) {
        boolean somebodyElses = record.isLeased(now) && !record.isOwnedBy(grant.token(), now);
        boolean superseded = record.storedOrder > grant.order();
        if (somebodyElses || superseded) {
            return;
        }
        record.dropLease();
        if (!backOff.isZero()) {
            record.failures = grant.failures() + 1;
            record.failedUntil = now + backOff.toMillis();
            record.failure = reason;
            record.expiresAt = Math.max(record.expiresAt, record.failedUntil + recordTime);
        }
    }

    @Override
    public CompletionStage<Void> put(K key, Token token, Draft draft) {
        CompletionStage<Void> done = step(key, () -> {
            keep(key, draft, token, shelf.now(), shelf.generation());
            shelf.removeRecord(key);
            return null;
        });
        return announced(done, nothing -> true, other -> other.stored(key));
    }

    @Override
    public CompletionStage<Touched> touch(K key) {
        return step(key, () -> {
            long now = shelf.now();
            KeyRecord record = shelf.record(key, now);
            if (record == null || !record.isLeased(now)) {
                return Touched.FREE;
            }
            record.dirty = true;
            return Touched.MARKED;
        });
    }

    @Override
    public CompletionStage<Void> invalidate(Collection<K> keys) {
        for (K key : keys) {
            CompletionStage<Void> done = step(key, () -> {
                shelf.remove(key);
                shelf.removeRecord(key);
                return null;
            });
            announced(done, nothing -> true, other -> other.invalidated(key));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> invalidateAll() {
        shelf.nextGeneration();
        others(RegionListener::invalidatedAll);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public StoreClock clock() {
        return shelf.clock();
    }

    @Override
    public void close() {
        shelf.regions.remove(this);
    }

    private <T extends @Nullable Object> CompletionStage<T> step(K key, Supplier<T> action) {
        T answer;
        synchronized (shelf.lock(key)) {
            answer = action.get();
        }
        return CompletableFuture.completedFuture(answer);
    }

    /** After the step and without its lock: a listener may take steps of its own. */
    private <T extends @Nullable Object> CompletionStage<T> announced(
            CompletionStage<T> step,
            java.util.function.Predicate<T> worthIt,
            Consumer<RegionListener<K>> announcement) {
        return step.thenApply(answer -> {
            if (worthIt.test(answer)) {
                others(announcement);
            }
            return answer;
        });
    }

    private void others(Consumer<RegionListener<K>> announcement) {
        for (MemoryRegion<K> region : shelf.regions) {
            if (region != this) {
                announcement.accept(region.listener);
            }
        }
    }
}
