package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.CorralException;
import dev.corral.LoadTimeoutException;
import dev.corral.Loader;
import dev.corral.Lookup;
import dev.corral.Outcome;
import dev.corral.Source;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.Who;
import dev.corral.WaitInterruptedException;
import dev.corral.WaitTimeoutException;
import dev.corral.spi.Delays;
import dev.corral.spi.Reading;
import dev.corral.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One read of one caller: near tier, store, flight, and the bound of its patience. */
final class Request<K, V> {
    /** What to do when there is no value. */
    enum Patience {
        /** Wait for a load. */
        WAIT,
        /** Begin one in the background and say "pending". */
        PENDING,
        /** Do without. */
        PEEK
    }

    final K key;
    final Loader<? super K, ? extends V> loader;
    final Executor lane;
    private final Engine<K, V> engine;
    private final Patience patience;
    private final CompletableFuture<Lookup<V>> result = new CompletableFuture<>();
    private final long started;
    private final boolean nested;

    private volatile @Nullable Entry<V> fallback;
    private volatile @Nullable Flight<K, V> flight;
    private volatile boolean carried;
    private volatile boolean alone;
    private volatile boolean rung;
    private @Nullable BulkLoad<K, V> bulk;
    private boolean missed;
    private Delays.@Nullable Timer bell;

    Request(Engine<K, V> engine, K key, Loader<? super K, ? extends V> loader, Executor lane, Patience patience) {
        this.engine = engine;
        this.key = key;
        this.loader = loader;
        this.lane = lane;
        this.patience = patience;
        this.started = engine.now();
        this.nested = lane instanceof CallerLane && LoadContext.current() != null;
    }

    CompletableFuture<Lookup<V>> result() {
        return result;
    }

    boolean isDone() {
        return result.isDone();
    }

    // ---- near tier and store

    void start() {
        if (servedByNear()) {
            return;
        }
        if (!engine.usesStore(key)) {
            miss(null, false);
            return;
        }
        long epoch = engine.epochs.of(key);
        long sent = engine.now();
        Stages.then(engine.steps.read(key), lane, (reading, trouble) -> answered(reading, trouble, epoch, sent));
    }

    /** False if the near tier has nothing that may be served. */
    boolean servedByNear() {
        NearEntry<V> near = engine.bypassed() ? null : engine.near.find(key);
        long now = engine.now();
        return near != null && now - near.until < 0 && judged(near.entry, now, Source.NEAR);
    }

    private void answered(@Nullable Reading reading, @Nullable StoreException trouble, long epoch, long sent) {
        try {
            Known known = servedByStore(reading, epoch, sent);
            if (!isDone()) {
                miss(known, trouble != null);
            }
        } catch (RuntimeException | Error e) { // a user's policy, or a cycle: the caller's to know, on any lane
            fail(e);
        }
    }

    /** Serves what the store has if it may be served; else says what it was. */
    @Nullable
    Known servedByStore(@Nullable Reading reading, long epoch, long sent) {
        if (reading instanceof Reading.Unreadable) {
            engine.unreadable(key);
            return null;
        }
        if (!(reading instanceof Reading.Found found)) {
            return null;
        }
        Known known = new Known(found.entry().commitId(), found.entry().cost());
        Entry<V> entry = engine.values.decode(key, found.entry(), engine.steps.clock());
        if (entry == null) {
            engine.unreadable(key);
            return known;
        }
        long now = engine.now();
        if (entry.softExpiry() - now > 0) {
            engine.near.fill(key, entry, epoch, sent);
        }
        judged(entry, now, Source.STORE);
        return known;
    }

    private boolean judged(Entry<V> entry, long now, Source source) {
        boolean closeToExpiry = now - engine.freshness.earlyFrom(entry) >= 0;
        long gap = closeToExpiry ? engine.notes.gapAfterRead(key, now) : Long.MAX_VALUE;
        double dice = closeToExpiry ? engine.platform.random().nextDouble() : 1;
        return switch (engine.freshness.judge(entry, now, gap, dice)) {
            case FRESH -> {
                serve(entry, now, source);
                yield true;
            }
            case EARLY, STALE -> {
                serve(entry, now, source);
                if (patience != Patience.PEEK) {
                    engine.refreshInBackground(key, new Known(entry.commitId(), entry.cost()), loader);
                }
                yield true;
            }
            case EXPIRED -> {
                if (engine.freshness.servesOnError(entry, now)) {
                    fallback = entry;
                }
                yield false;
            }
        };
    }

    // ---- flights

    /** Loads the key together with others, if this request leads. */
    void loadWith(BulkLoad<K, V> others) {
        bulk = others;
    }

    void miss(@Nullable Known known, boolean storeFailed) {
        if (!missed) {
            missed = true;
            if (patience == Patience.WAIT) {
                engine.meters.misses.increment();
            }
        }
        Who who = engine.settings.strategy().who();
        if (patience == Patience.PEEK) {
            complete(Lookup.pending(Duration.ZERO));
        } else if (who == Who.JOB) {
            pending();
        } else if (patience == Patience.PENDING || engine.settings.strategy().meanwhile() == Meanwhile.PENDING) {
            engine.refreshInBackground(key, known, loader);
            pending();
        } else {
            LoadContext.refuseCycle(engine.name, key);
            fly(known, storeFailed);
        }
    }

    private void fly(@Nullable Known known, boolean storeFailed) {
        if (engine.settings.strategy().who() == Who.EVERYBODY) {
            engine.flights.leadAlone(this, known, storeFailed);
        } else {
            BulkLoad<K, V> together = bulk;
            bulk = null; // only the first attempt can be part of it
            engine.flights.joinOrLead(this, known, storeFailed, together);
        }
        if (!(lane instanceof CallerLane)) {
            ringLater();
        }
    }

    /** Joins the key's flight, or leads one that replaces this entry, whether it is fresh or not. */
    void reload(@Nullable Known known) {
        missed = true;
        engine.flights.joinOrLead(this, known, false, null);
        ringLater();
    }

    private void pending() {
        complete(Lookup.pending(engine.retryAfter(key)));
    }

    void seatedIn(Flight<K, V> joined) {
        flight = joined;
    }

    /** The flight's value is not for this request: its read began after an invalidation that the value did not see. */
    void restart() {
        if (isDone()) {
            return;
        }
        flight = null;
        carried = false;
        lane.execute(() -> {
            if (!isDone()) {
                try {
                    start();
                } catch (RuntimeException | Error e) {
                    fail(e);
                }
            }
        });
    }

    /** The caller itself runs the loader, if that is its lane: from now on it has no bound. */
    void carriesIf(Executor loading) {
        if (lane == loading) {
            carried = true;
        }
    }

    boolean isCarried() {
        return carried;
    }

    // ---- the bound

    /** The monotonic instant of the next bound. */
    long bound() {
        if (carried) {
            return engine.now() + Duration.ofDays(1).toNanos();
        }
        Duration soft = engine.settings.softTimeout();
        long limit = started + patienceNanos();
        if (soft != null && fallback != null) {
            return Math.min(limit - started, soft.toNanos()) + started;
        }
        return limit;
    }

    private long patienceNanos() {
        Duration hard = engine.settings.hardTimeout();
        Duration wait = hard != null ? hard : engine.settings.waitTimeout();
        if (nested && engine.settings.nestedWait().compareTo(wait) < 0) {
            wait = engine.settings.nestedWait();
        }
        return wait.toNanos();
    }

    /** Asynchronous requests have a timer where synchronous ones have their thread. */
    private synchronized void ringLater() {
        if (bell != null) {
            bell.cancel();
        }
        bell = isDone() ? null : engine.platform.delays().after(bound() - engine.now(), this::ring);
    }

    private void ring() {
        rung = true;
        boundReached();
    }

    void boundReached() {
        if (isDone() || carried) {
            return;
        }
        Entry<V> stale = fallback;
        long now = engine.now();
        if (stale != null && engine.freshness.servesOnError(stale, now)) {
            serve(stale, now, Source.STORE);
        } else if (nested && !alone) {
            loadAlone();
        } else if (engine.settings.hardTimeout() != null) {
            fail(new LoadTimeoutException(report("hard timeout"), null));
        } else {
            engine.meters.waitTimeouts.increment();
            engine.events.tell(() -> new CacheEvent.WaitTimedOut(engine.name, key, Duration.ofNanos(now - started)));
            fail(new WaitTimeoutException(report("wait timeout"), null));
        }
    }

    private String report(String bound) {
        Flight<K, V> joined = flight;
        return "Cache " + engine.name + ": key " + key + " was not there after "
                + Duration.ofNanos(engine.now() - started).toMillis() + " ms (" + bound + "); "
                + (joined == null ? "the store had not answered" : joined.describe()) + "; load limiter "
                + engine.parts.limiter().running() + " of "
                + engine.parts.limiter().permits() + " running, "
                + engine.parts.limiter().queued() + " queued; store "
                + (engine.steps.available() ? "reachable" : "not reachable");
    }

    /**
     * This caller is itself a loader: two nodes' loaders may be waiting for each other, so it does not wait out its
     * patience but loads for itself and stores nothing.
     */
    private void loadAlone() {
        alone = true;
        leaveFlight();
        carried = true;
        new Load<V>(engine, key, lane, () -> loader.load(key), new Load.End<>() {
                    @Override
                    public void began() {}

                    @Override
                    public void rejected(String why, @Nullable Throwable cause) {
                        fail(new dev.corral.LoadRejectedException(report("nested wait") + "; " + why, cause));
                    }

                    @Override
                    public void overdue() {}

                    @Override
                    public void ended(@Nullable V value, long costNanos) {
                        complete(new Lookup<>(Outcome.FRESH, value, Duration.ZERO, Duration.ZERO, Source.LOAD));
                    }

                    @Override
                    public void failed(Throwable cause, long costNanos) {
                        fail(engine.forCallers(key, cause));
                    }
                })
                .start(true);
    }

    // ---- the answer

    void serve(Entry<V> entry, long now, Source source) {
        boolean fresh = entry.softExpiry() - now > 0 || source == Source.LOAD;
        engine.served(source, fresh);
        Duration age = Duration.ofNanos(Math.max(0, now - entry.writtenAt()));
        complete(new Lookup<>(fresh ? Outcome.FRESH : Outcome.STALE, entry.value(), age, Duration.ZERO, source));
    }

    /** There is no fresh value to be had: the stale one if that is allowed, else the reason. */
    void fail(Throwable reason) {
        Entry<V> stale = fallback;
        long now = engine.now();
        if (stale != null && engine.freshness.servesOnError(stale, now)) {
            serve(stale, now, Source.STORE);
        } else {
            finish(null, reason);
        }
    }

    /** The waiting thread was interrupted. */
    CorralException interrupted() {
        WaitInterruptedException reason = new WaitInterruptedException(report("interrupted"), null);
        finish(null, reason);
        return reason;
    }

    private void complete(Lookup<V> answer) {
        finish(answer, null);
    }

    private void finish(@Nullable Lookup<V> answer, @Nullable Throwable reason) {
        if (lane instanceof CallerLane caller) {
            settle(answer, reason);
            caller.wake();
        } else if (rung) {
            settle(answer, reason); // at the bound nothing more is left to an executor that may be the culprit
        } else {
            // What hangs on the caller's future is the caller's code: not on a thread of the store's.
            lane.execute(() -> settle(answer, reason));
        }
    }

    private void settle(@Nullable Lookup<V> answer, @Nullable Throwable reason) {
        synchronized (this) {
            if (bell != null) {
                bell.cancel();
            }
        }
        boolean first = reason != null
                ? result.completeExceptionally(reason)
                : result.complete(java.util.Objects.requireNonNull(answer));
        if (first) {
            leaveFlight();
        }
    }

    private void leaveFlight() {
        Flight<K, V> joined = flight;
        if (joined != null) {
            joined.leave(this);
        }
    }
}
