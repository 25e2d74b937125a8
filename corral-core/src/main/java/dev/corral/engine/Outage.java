package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.spi.Breaker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices the loss of the store, and replays what it missed before its keys are trusted again. */
final class Outage<K, V> implements Breaker.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final long RETRY = Duration.ofMillis(200).toNanos();

    private final Engine<K, V> engine;
    private final AtomicBoolean replaying = new AtomicBoolean();
    private volatile boolean closed;

    Outage(Engine<K, V> engine) {
        this.engine = engine;
    }

    @Override
    public void opened(String why) {
        engine.outbox.storeLost();
        LOG.warn("Cache {} goes on without its store: {}", engine.name, why);
        engine.wakeups.wakeAll(); // waiters would wait for a lease that nobody can be asked about
        engine.events.tell(() -> new CacheEvent.StoreLost(engine.name, why));
        replay(); // should the store have recovered before this news arrived, nobody else would
    }

    @Override
    public void recovered() {
        int queued = engine.outbox.size();
        LOG.info("Cache {} has its store again; {} writes to replay", engine.name, queued);
        engine.events.tell(() -> new CacheEvent.StoreRecovered(engine.name, queued));
        replay();
    }

    void close() {
        closed = true;
    }

    /** Replays what is queued, again and again until nothing is; the keys stay untrusted until then. */
    void replay() {
        if (closed || engine.outbox.isEmpty() || !engine.steps.available()) {
            return; // while the breaker is open its recovery will call again
        }
        if (replaying.compareAndSet(false, true)) {
            long held = engine.outbox.heldFor(engine.now());
            if (held > 0) {
                later(held);
            } else {
                send();
            }
        }
    }

    private void send() {
        Outbox.Batch<K> batch = engine.outbox.next();
        if (batch == null) {
            replaying.set(false);
            replay(); // something may have been queued since, and found the replay still under way
            return;
        }
        long losses = engine.outbox.losses();
        Stages.then(invalidate(batch), engine.platform.continuations(), (nothing, trouble) -> {
            if (trouble == null) {
                if (batch.all()) {
                    engine.epochs.raiseAll();
                } else {
                    batch.keys().forEach(engine.epochs::raise);
                }
                engine.outbox.replayed(batch, losses);
                replaying.set(false);
                replay();
            } else {
                later(RETRY);
            }
        });
    }

    /** A key that has no bytes after all would block the replay for ever; everything includes it. */
    private CompletionStage<Void> invalidate(Outbox.Batch<K> batch) {
        if (batch.all()) {
            return engine.steps.invalidateAll();
        }
        try {
            return engine.steps.invalidate(batch.keys());
        } catch (RuntimeException e) {
            LOG.warn("Cache {} invalidates everything, because a key cannot be replayed", engine.name, e);
            engine.outbox.addEverything();
            return CompletableFuture.failedFuture(e);
        }
    }

    private void later(long nanos) {
        engine.platform.delays().after(nanos, () -> {
            replaying.set(false);
            replay();
        });
    }
}
