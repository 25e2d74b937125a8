package dev.corral.engine;

import dev.corral.Delivery;
import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.StoreException;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Puts and invalidations. Locally they take effect twice: before the store is told, so that nothing older is served or
 * joined from now on, and after it has answered, so that what was read from it in between fills nothing.
 */
final class Writes<K, V> {
    private final Engine<K, V> engine;

    Writes(Engine<K, V> engine) {
        this.engine = engine;
    }

    Delivery put(K key, @Nullable V value) {
        requireBytes(key);
        Draft draft = draft(key, value);
        Token token = Token.random(engine.platform.random());
        long epoch = forget(key);
        long sent = engine.now();
        long losses = engine.outbox.losses();
        if (draft.freshFor().isZero()) {
            return invalidate(List.of(key)); // a value that is not to be cached still ends the old one
        }
        if (!engine.steps.available() || engine.outbox.holds(key)) {
            engine.outbox.add(List.of(key));
            fillNear(key, value, draft, token, epoch, sent);
            engine.outage.replay();
            return Delivery.QUEUED;
        }
        CompletionStage<Void> step = engine.steps.put(key, token, draft);
        long deadline = engine.now() + engine.settings.storeTimeout().toNanos();
        StoreException trouble = await(step);
        if (trouble != null) {
            engine.outbox.holdUntil(engine.now()
                    + engine.settings.storeTimeout().multipliedBy(2).toNanos());
            engine.outbox.add(List.of(key));
            if (trouble.reason() == StoreException.Reason.DISCONNECTED) {
                // What the connection still had in it is carried out until its deadline: not after this write is over,
                // or it would undo an invalidation that came later.
                waitFor(new CompletableFuture<>(), deadline);
            }
        } else {
            engine.outbox.applied(List.of(key), losses);
        }
        long after = forget(key);
        if (after == epoch + 1) { // else another write came between, and nobody here knows which of them was the last
            fillNear(key, value, draft, token, after, sent);
        }
        engine.outage.replay();
        return trouble == null ? Delivery.APPLIED : Delivery.QUEUED;
    }

    Delivery invalidate(Collection<K> keys) {
        if (keys.isEmpty()) {
            return Delivery.APPLIED;
        }
        keys.forEach(this::requireBytes);
        keys.forEach(this::forget);
        long losses = engine.outbox.losses();
        boolean applied = engine.steps.available() && await(engine.steps.invalidate(keys)) == null;
        if (applied) {
            engine.outbox.applied(keys, losses);
        } else {
            engine.outbox.add(keys);
        }
        keys.forEach(this::forget);
        keys.forEach(engine::lookNow);
        engine.outage.replay();
        return applied ? Delivery.APPLIED : Delivery.QUEUED;
    }

    Delivery invalidateAll() {
        forgetAll();
        long losses = engine.outbox.losses();
        boolean applied = engine.steps.available() && await(engine.steps.invalidateAll()) == null;
        if (applied) {
            engine.outbox.appliedEverything(losses);
        } else {
            engine.outbox.addEverything();
        }
        forgetAll();
        engine.lookAtAllNow();
        engine.outage.replay();
        return applied ? Delivery.APPLIED : Delivery.QUEUED;
    }

    /** At the door, whatever state the store is in: later there is nobody to tell that the key has no bytes. */
    private void requireBytes(K key) {
        if (!engine.parts.store().keepsReferences()) {
            engine.parts.keyCodec().encode(key);
        }
    }

    /** Returns the key's new epoch. */
    private long forget(K key) {
        long epoch = engine.epochs.raise(key);
        engine.near.remove(key);
        engine.flights.detach(key);
        engine.failures.forget(key);
        engine.notes.renewed(key);
        return epoch;
    }

    private void forgetAll() {
        engine.epochs.raiseAll();
        engine.near.clear();
        engine.flights.detachAll();
        engine.failures.clear();
        engine.notes.clear();
    }

    private void fillNear(K key, @Nullable V value, Draft draft, Token token, long epoch, long sent) {
        if (!engine.bypassed()) {
            engine.near.fill(key, engine.values.entry(value, draft, sent, token), epoch, sent);
        }
    }

    private Draft draft(K key, @Nullable V value) {
        try {
            return engine.values.draft(key, value, Cost.UNKNOWN);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "Cache " + engine.name + ": the value put for key " + key + " cannot be encoded", e);
        }
    }

    /** Waits for the store's answer, which comes within its time-out; the thread's interruption does not end that. */
    private @Nullable StoreException await(CompletionStage<?> step) {
        CompletableFuture<?> answer = step.toCompletableFuture();
        if (!answer.isDone()) {
            long patience =
                    engine.settings.storeTimeout().plus(Duration.ofSeconds(1)).toNanos();
            waitFor(answer, engine.now() + patience);
        }
        if (!answer.isDone()) {
            return new StoreException(StoreException.Reason.TIMEOUT, "the store did not answer in time", null);
        }
        return answer.handle((done, failure) -> Stages.trouble(failure)).getNow(null);
    }

    private void waitFor(CompletableFuture<?> answer, long end) {
        CallerLane lane = new CallerLane(engine.platform);
        answer.whenComplete((done, failure) -> lane.wake());
        boolean interrupted = false;
        while (!answer.isDone() && engine.now() - end < 0) {
            interrupted |= Thread.interrupted();
            lane.drainUntil(() -> answer.isDone() || engine.now() - end >= 0, () -> end, () -> {});
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
