package dev.corral.simulator;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks over the store's shoulder: keeps its own account of the lease protocol, in the simplest way that can be right,
 * and holds every answer of the store against it.
 */
final class Monitor {
    private final History history;
    private final Map<String, Value> values = new HashMap<>();
    private final Map<String, KeyRecord> records = new HashMap<>();

    private record Value(Token commitId, long softExpiry) {}

    private static final class KeyRecord {
        final long epoch;
        long storedOrder;

        @Nullable
        Token owner;

        long leaseUntil;
        long failedUntil;
        long expiresAt;

        KeyRecord(long epoch) {
            this.epoch = epoch;
        }

        boolean isLeased(long now) {
            return owner != null && leaseUntil > now;
        }
    }

    Monitor(History history) {
        this.history = history;
    }

    void forgetAll() {
        values.clear();
        records.clear();
    }

    void evicted(String key, boolean value, boolean record) {
        if (value) {
            values.remove(key);
        }
        if (record) {
            records.remove(key);
        }
    }

    /** A record ends by itself some time after the last sign of its load. */
    private @Nullable KeyRecord live(String key, long now) {
        KeyRecord record = records.get(key);
        return record == null || record.expiresAt <= now ? null : record;
    }

    private long recordTime() {
        return history.scenario.maximumLoad().multipliedBy(2).toMillis();
    }

    /** True if somebody holds the key's lease now. */
    boolean isLeased(String key, long now) {
        KeyRecord record = records.get(key);
        return record != null && record.isLeased(now);
    }

    void carriedOut(String client, Step<?> step, @Nullable Object answer, long now, long instant) {
        if (step instanceof Step.Acquire acquire && answer instanceof Acquisition acquisition) {
            acquired(client, acquire, acquisition, now);
        } else if (step instanceof Step.Renew renew) {
            renewed(renew, Boolean.TRUE.equals(answer), now);
        } else if (step instanceof Step.Commit commit) {
            committed(commit, answer == Committed.REJECTED, now, instant);
        } else if (step instanceof Step.Fail fail) {
            failed(fail, now);
        } else if (step instanceof Step.Put put) {
            records.remove(put.key());
            keep(put.key(), put.token(), put.draft(), now, instant);
            history.gap(put.key(), instant);
        } else if (step instanceof Step.Invalidate invalidate) {
            invalidate.keys().forEach(key -> invalidated(key, instant));
        } else if (step instanceof Step.InvalidateAll) {
            forgetAll();
            history.gapEverywhere(instant);
        }
    }

    private void invalidated(String key, long instant) {
        values.remove(key);
        records.remove(key);
        history.gap(key, instant);
    }

    private void acquired(String client, Step.Acquire step, Acquisition answer, long now) {
        Value value = values.get(step.key());
        KeyRecord record = live(step.key(), now);
        boolean fresh = value != null && value.softExpiry > now && !value.commitId.equals(step.known());
        if (answer instanceof Acquisition.Fresh handed) {
            history.check(
                    Invariant.STORE_HANDS_OVER_FRESH,
                    fresh && handed.entry().softExpiry() > now,
                    () -> "the store handed over an entry of " + step.key() + " that is not fresh or was not wanted");
        } else if (answer instanceof Acquisition.Granted granted) {
            history.check(
                    Invariant.NO_LOAD_WHILE_FRESH,
                    !fresh,
                    () -> client + " was granted " + step.key() + " although a fresh entry is stored");
            grant(client, step, granted.grant(), record, now);
        }
    }

    private void grant(String client, Step.Acquire step, Grant grant, @Nullable KeyRecord before, long now) {
        KeyRecord record = before == null || before.epoch != grant.epoch() ? new KeyRecord(grant.epoch()) : before;
        records.put(step.key(), record);
        boolean again = record.isLeased(now) && step.token().equals(record.owner);
        history.check(
                Invariant.ONE_LEASE,
                again || step.lease().isZero() || before == null || !before.isLeased(now),
                () -> client + " was granted " + step.key() + " although somebody else holds its lease");
        history.check(
                Invariant.BACK_OFF,
                again || before == null || before.failedUntil <= now,
                () -> client + " was granted " + step.key() + " during its back-off");
        record.expiresAt = now + recordTime();
        if (!step.lease().isZero()) {
            record.owner = step.token();
            record.leaseUntil = now + step.lease().toMillis();
        }
    }

    private void renewed(Step.Renew step, boolean prolonged, long now) {
        KeyRecord record = live(step.key(), now);
        boolean ours = record != null && record.isLeased(now) && step.token().equals(record.owner);
        history.check(
                Invariant.ONE_LEASE,
                !prolonged || ours,
                () -> "a lease of " + step.key() + " was renewed by a stranger");
        if (record != null && prolonged) {
            record.leaseUntil = now + step.lease().toMillis();
            record.expiresAt = now + recordTime();
        }
    }

    private void committed(Step.Commit step, boolean rejected, long now, long instant) {
        KeyRecord record = live(step.key(), now);
        Grant grant = step.grant();
        boolean current = record != null && record.epoch == grant.epoch() && record.storedOrder <= grant.order();
        history.check(
                Invariant.LATE_COMMIT_REJECTED,
                rejected || current,
                () -> "a commit of " + step.key() + " was stored although an invalidation, a put or a later load came"
                        + " first: " + step.draft().payload());
        if (record != null && grant.token().equals(record.owner)) {
            record.owner = null;
        }
        Value value = values.get(step.key());
        boolean twice = value != null && value.commitId.equals(grant.token());
        if (!rejected && record != null && !twice) {
            record.storedOrder = grant.order();
            record.failedUntil = 0;
            keep(step.key(), grant.token(), step.draft(), now, instant);
        }
    }

    private void keep(String key, Token commitId, Draft draft, long now, long instant) {
        if (draft.freshFor().isZero()) {
            values.remove(key);
            return;
        }
        values.put(key, new Value(commitId, now + draft.freshFor().toMillis()));
        if (draft.payload() instanceof Row row) {
            history.stored(row, instant);
        }
    }

    private void failed(Step.Fail step, long now) {
        KeyRecord record = live(step.key(), now);
        Grant grant = step.grant();
        if (record == null || record.epoch != grant.epoch() || record.storedOrder > grant.order()) {
            return;
        }
        if (record.isLeased(now) && !grant.token().equals(record.owner)) {
            return;
        }
        record.owner = null;
        boolean loaderFailed = step.reason().contains(LoaderFailure.MARK);
        Duration backOff = loaderFailed ? history.scenario.backOff() : step.backOff();
        if (!backOff.isZero()) {
            record.failedUntil = now + backOff.toMillis();
            record.expiresAt = Math.max(record.expiresAt, record.failedUntil + recordTime());
        }
    }
}
