package dev.corral.engine;

import dev.corral.Cache;
import dev.corral.CacheClosedException;
import dev.corral.CacheSettings.RollOut;
import dev.corral.CacheStats;
import dev.corral.Delivery;
import dev.corral.Loader;
import dev.corral.Lookup;
import dev.corral.Outcome;
import dev.corral.PendingException;
import dev.corral.engine.Request.Patience;
import dev.corral.spi.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The public face: a near hit is answered here, everything else by a {@link Request} or by {@link Writes}. */
final class CorralCache<K, V> implements Cache<K, V> {
    private final Engine<K, V> engine;
    private final Writes<K, V> writes;
    private final NearTier<K, V> near;
    private final TimeSource time;
    private final Meters meters;
    private final @Nullable ScheduledRefresh<K, V> job;
    private final @Nullable OldPath<K, V> oldPath;
    private volatile boolean closed;

    CorralCache(Engine<K, V> engine) {
        this.engine = engine;
        this.writes = new Writes<>(engine);
        this.near = engine.near;
        this.time = engine.platform.time();
        this.meters = engine.meters;
        RollOut rollOut = engine.settings.rollOut();
        Loader<K, V> before = engine.parts.oldPath();
        this.oldPath = rollOut == null || before == null
                ? null
                : new OldPath<>(engine.name, rollOut, engine.parts.keyCodec(), before);
        this.job = engine.job;
        if (job != null) {
            job.start(engine.parts.precomputeKeys());
        }
    }

    @Override
    public String name() {
        return engine.name;
    }

    // ---- reads

    @Override
    public @Nullable V get(K key) {
        NearEntry<V> hit = nearHit(key);
        if (hit != null) {
            return hit.value;
        }
        return valueOf(key, read(key, engine.loader, Patience.WAIT));
    }

    @Override
    public @Nullable V get(K key, Loader<? super K, ? extends V> loader) {
        Objects.requireNonNull(loader, "loader");
        NearEntry<V> hit = nearHit(key);
        if (hit != null) {
            return hit.value;
        }
        return valueOf(key, read(key, loader, Patience.WAIT));
    }

    /** An entry that can be served without another thought: one look, one clock read, one comparison. */
    private @Nullable NearEntry<V> nearHit(K key) {
        NearEntry<V> hit = near.find(key);
        if (hit == null || time.nanoTime() - hit.quietUntil >= 0) {
            return null;
        }
        near.served(key);
        return hit;
    }

    @Override
    public Lookup<V> lookup(K key) {
        return counted(read(key, engine.loader, Patience.WAIT));
    }

    @Override
    public Lookup<V> getIfReady(K key) {
        return counted(read(key, engine.loader, Patience.PENDING));
    }

    @Override
    public @Nullable V getIfPresent(K key) {
        return read(key, engine.loader, Patience.PEEK).value();
    }

    private Lookup<V> read(K key, @Nullable Loader<? super K, ? extends V> loader, Patience patience) {
        requireOpen(key);
        OldPath<K, V> before = oldPathOf(key);
        if (before != null) {
            return before.read(key);
        }
        CallerLane lane = lane();
        Request<K, V> request = new Request<>(engine, key, loader, lane, patience);
        try {
            request.start();
            await(List.of(request), lane);
        } finally {
            lane.leave();
        }
        return answerOf(request);
    }

    @Override
    public CompletableFuture<@Nullable V> getAsync(K key) {
        requireOpen(key);
        OldPath<K, V> before = oldPathOf(key);
        if (before != null) {
            return CompletableFuture.supplyAsync(() -> before.read(key).value(), engine.platform.executor());
        }
        NearEntry<V> hit = nearHit(key);
        if (hit != null) {
            return CompletableFuture.completedFuture(hit.value);
        }
        Request<K, V> request = asynchronous(key);
        request.start();
        return request.result().thenApply(lookup -> valueOf(key, lookup));
    }

    private Request<K, V> asynchronous(K key) {
        return new Request<>(engine, key, engine.loader, engine.platform.continuations(), Patience.WAIT);
    }

    @Override
    public CompletableFuture<@Nullable V> refresh(K key) {
        requireOpen(key);
        Request<K, V> request = asynchronous(key);
        request.reload();
        return request.result().thenApply(Lookup::value);
    }

    @Override
    public Map<K, V> getAll(Collection<? extends K> keys) {
        Set<K> distinct = new LinkedHashSet<>(keys);
        distinct.forEach(this::requireOpen);
        CallerLane lane = lane();
        Batch<K, V> batch = new Batch<>(engine, lane);
        try {
            for (K key : distinct) {
                OldPath<K, V> before = oldPathOf(key);
                if (before != null) {
                    batch.answered(key, before.read(key));
                } else {
                    batch.ask(new Request<>(engine, key, engine.loader, lane, Patience.WAIT));
                }
            }
            batch.start();
            await(batch.requests(), lane);
        } finally {
            lane.leave();
        }
        return batch.values(request -> valueOf(request.key, answerOf(request)));
    }

    private CallerLane lane() {
        return new CallerLane(engine.platform);
    }

    private void await(List<Request<K, V>> requests, CallerLane lane) {
        for (Request<K, V> request : requests) {
            if (!request.isDone() && !lane.drainUntil(request::isDone, request::bound, request::boundReached)) {
                List<Request<K, V>> open = new ArrayList<>(requests);
                open.removeIf(Request::isDone);
                open.forEach(Request::interrupted);
                return;
            }
        }
    }

    private static <K, V> Lookup<V> answerOf(Request<K, V> request) {
        // Not join, which unwraps a CompletionException that is the loader's own.
        Throwable failure = request.result().handle((answer, reason) -> reason).join();
        if (failure != null) {
            throw Thrown.unchecked(failure); // completed with unchecked exceptions only, see Engine.forCallers
        }
        return request.result().join();
    }

    private Lookup<V> counted(Lookup<V> lookup) {
        if (lookup.outcome() == Outcome.PENDING) {
            meters.pendingServed.increment();
        }
        return lookup;
    }

    private @Nullable V valueOf(K key, Lookup<V> lookup) {
        if (counted(lookup).outcome() == Outcome.PENDING) {
            throw new PendingException(
                    "Cache " + engine.name + " has no value for key " + key
                            + " yet; its readers never load, ask again in "
                            + lookup.retryAfter().toMillis() + " ms",
                    lookup.retryAfter());
        }
        return lookup.value();
    }

    /** Null if the key is this cache's. */
    private @Nullable OldPath<K, V> oldPathOf(K key) {
        OldPath<K, V> before = oldPath;
        return before != null && before.has(key, engine.steps.clock(), engine.now()) ? before : null;
    }

    // ---- writes

    @Override
    public Delivery put(K key, @Nullable V value) {
        requireOpen(key);
        return writes.put(key, value);
    }

    @Override
    public Delivery invalidate(K key) {
        requireOpen(key);
        return writes.invalidate(List.of(key));
    }

    @Override
    public Delivery invalidateAll(Collection<? extends K> keys) {
        keys.forEach(this::requireOpen);
        return writes.invalidate(new LinkedHashSet<>(keys));
    }

    @Override
    public Delivery invalidateAll() {
        requireOpen(engine.name);
        return writes.invalidateAll();
    }

    // ---- the rest

    @Override
    public void bypass() {
        requireOpen(engine.name);
        engine.bypass(true);
    }

    @Override
    public void rearm() {
        requireOpen(engine.name);
        engine.bypass(false);
    }

    @Override
    public CacheStats stats() {
        return meters.snapshot(engine.outbox.size());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        engine.epochs.raiseAll(); // first, or a fill in between would stay
        near.clear(); // a near hit does not look at the switch; from now on there is none
        if (job != null) {
            job.close();
        }
        engine.outage.close();
        engine.parts.store().breaker().forget(engine.outage);
        engine.region.close();
    }

    private void requireOpen(Object key) {
        Objects.requireNonNull(key, "key");
        if (closed) {
            throw new CacheClosedException("Cache " + engine.name + " is closed", null);
        }
    }
}
