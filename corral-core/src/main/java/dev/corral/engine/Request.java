package dev.corral.engine;

import dev.corral.CacheEvent;
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
import java.time.Duration;
import java.util.Objects;
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

    /** An expired entry that is better than none, and the tier it was found in. */
    private record Fallback<V>(Entry<V> entry, Source source) {}

    private static final long NEVER = Duration.ofDays(1).toNanos();

    final K key;
    final Executor lane;
    private final @Nullable Loader<? super K, ? extends V> loader;
    private final Engine<K, V> engine;
    private final Patience patience;
    private final @Nullable LoadContext context;
    private final CompletableFuture<Lookup<V>> result = new CompletableFuture<>();

    private volatile long since;
    private volatile @Nullable Fallback<V> fallback;
    private volatile @Nullable Flight<K, V> flight;
    private volatile boolean carried;
    private volatile boolean inLine;
    private volatile boolean reloads;
    private volatile boolean answered;
    private volatile @Nullable LoadAlone<K, V> alone;
    private volatile @Nullable Together<K, V> together;
    private boolean missed;
    private Delays.@Nullable Timer bell;

    Request(
            Engine<K, V> engine,
            K key,
            @Nullable Loader<? super K, ? extends V> loader,
            Executor lane,
            Patience patience) {
        this.engine = engine;
        this.key = key;
        this.loader = loader;
        this.lane = lane;
        this.patience = patience;
        this.since = engine.now();
        this.context = lane instanceof CallerLane caller ? caller.context() : null;
    }

    CompletableFuture<Lookup<V>> result() {
        return result;
    }

    /** It has its answer, even if an asynchronous caller has yet to hear of it. */
    boolean isDone() {
        return answered || result.isDone();
    }

    // ---- near tier and store

    /** Never throws: whatever goes wrong is the answer. */
    void start() {
        guard(() -> {
            if (!servedByNear()) {
                readStore();
            }
            ringLater();
        });
    }

    private void readStore() {
        if (!engine.usesStore(key)) {
            missed(null, false);
            return;
        }
        long epoch = engine.epochs.of(key);
        long sent = engine.now();
        Stages.then(
                engine.steps.read(key),
                lane,
                (reading, trouble) -> guard(() -> {
                    Known known = servedByStore(reading, epoch, sent);
                    if (!isDone()) {
                        missed(known, trouble != null);
                    }
                }));
    }

    void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) { // a user's function, or a cycle: the caller's to know, on any lane
            fail(e);
        }
    }

    /** False if the near tier has nothing that may be served. */
    boolean servedByNear() {
        NearEntry<V> near = engine.bypassed() ? null : engine.near.find(key);
        long now = engine.now();
        return near != null && now - near.until < 0 && judged(near.entry, now, Source.NEAR);
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
                    refreshInBackground(new Known(entry.commitId(), entry.cost()));
                }
                yield true;
            }
            case EXPIRED -> {
                if (engine.freshness.servesOnError(entry, now)) {
                    fallback = new Fallback<>(entry, source);
                }
                yield false;
            }
        };
    }

    // ---- flights

    /** This read is one of several. */
    void loadWith(Together<K, V> others) {
        together = others;
    }

    /** A miss of a batch whose keys are loaded one after the other: it waits for its turn, as long as that takes. */
    void standInLine() {
        inLine = true;
    }

    /** Its turn has come: from now on it has a bound. */
    void itsTurn(Together<K, V> others) {
        loadWith(others);
        since = engine.now();
        inLine = false;
    }

    /** As {@link #missed}, some time after the miss. */
    void missedBefore(@Nullable Known known, boolean storeFailed) {
        guard(() -> {
            if (!servedByNear()) {
                missed(known, storeFailed);
            }
        });
    }

    void missed(@Nullable Known known, boolean storeFailed) {
        if (!missed) {
            missed = true;
            if (patience == Patience.WAIT) {
                engine.meters.misses.increment();
            }
        }
        guard(() -> {
            if (waits()) {
                fly(known, storeFailed);
            } else {
                if (patience != Patience.PEEK) {
                    refreshInBackground(known);
                }
                withoutValue();
            }
        });
    }

    /** With strategy external readers never load; they can wake the job. */
    private void refreshInBackground(@Nullable Known known) {
        if (engine.settings.strategy().who() == Who.JOB) {
            engine.lookNow(key);
        } else {
            engine.refreshInBackground(key, known, loader);
        }
    }

    /** True if this read may wait for a load; a reload always does. */
    private boolean waits() {
        if (reloads) {
            return true;
        }
        return patience == Patience.WAIT
                && engine.settings.strategy().who() != Who.JOB
                && engine.settings.strategy().meanwhile() != Meanwhile.PENDING;
    }

    private void withoutValue() {
        if (patience == Patience.PEEK) {
            complete(Lookup.pending(Duration.ZERO));
        } else {
            complete(Lookup.pending(engine.pending(key)));
        }
    }

    private void fly(@Nullable Known known, boolean storeFailed) {
        if (context != null) {
            context.refuseCycle(engine.name, key);
        }
        Loader<? super K, ? extends V> own = needLoader();
        Together<K, V> others = together;
        together = null; // only the first attempt can be part of it
        if (engine.sharesFlights()) {
            engine.flights.joinOrLead(this, own, known, storeFailed, others);
        } else {
            engine.flights.leadAlone(this, own, known, storeFailed, others);
        }
    }

    /** Joins the key's flight, or leads one that replaces the current entry, whether it is fresh or not. */
    void reload() {
        missed = true;
        reloads = true;
        guard(() -> {
            ringLater();
            if (engine.usesStore(key)) {
                // The current entry is named as the one that will not do, or the store would hand it over again.
                Stages.then(engine.steps.read(key), lane, (reading, trouble) -> guard(() -> reload(reading)));
            } else {
                reload(null);
            }
        });
    }

    private void reload(@Nullable Reading reading) {
        Known known = reading instanceof Reading.Found found
                ? new Known(found.entry().commitId(), found.entry().cost())
                : null;
        engine.flights.joinOrLead(this, needLoader(), known, false, null);
    }

    private Loader<? super K, ? extends V> needLoader() {
        if (loader == null) {
            throw new IllegalStateException(
                    "cache " + engine.name + " was built without a loader; use get(key, loader)");
        }
        return loader;
    }

    void joined(Flight<K, V> joined) {
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
            if (isDone()) {
                return;
            }
            if (reloads) {
                reload();
            } else {
                start();
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
        if (carried || inLine) {
            return engine.now() + NEVER;
        }
        long end = lastBound();
        Duration soft = engine.settings.softTimeout();
        if (soft != null && fallback != null) {
            long first = since + soft.toNanos();
            return first - end < 0 ? first : end;
        }
        return end;
    }

    private long lastBound() {
        Duration hard = engine.settings.hardTimeout();
        Duration wait = hard != null ? hard : engine.settings.waitTimeout();
        if (mayLoadAlone() && engine.settings.nestedWait().compareTo(wait) < 0) {
            wait = engine.settings.nestedWait();
        }
        return since + wait.toNanos();
    }

    /** A loader that waits for somebody else's flight does so for a shorter time, and then loads for itself. */
    private boolean mayLoadAlone() {
        Flight<K, V> joined = flight;
        return context != null && joined != null && alone == null && !joined.isLoadingFor(lane);
    }

    /** Asynchronous requests have a timer where synchronous ones have their thread. */
    private synchronized void ringLater() {
        if (lane instanceof CallerLane) {
            return;
        }
        if (bell != null) {
            bell.cancel();
        }
        bell = isDone() ? null : engine.platform.delays().after(bound() - engine.now(), this::boundReached);
    }

    void boundReached() {
        if (isDone() || carried) {
            return;
        }
        long now = engine.now();
        if (servedByFallback(now)) {
            return;
        }
        if (now - lastBound() < 0) {
            fallback = null; // its window has closed before the soft timeout: there is nothing to give up for
            ringLater();
        } else if (!waits()) {
            withoutValue();
        } else if (mayLoadAlone() && lane instanceof CallerLane caller) {
            loadAlone(caller);
        } else if (engine.settings.hardTimeout() != null) {
            fail(new LoadTimeoutException(report("hard timeout"), null));
        } else {
            engine.meters.waitTimeouts.increment();
            engine.events.tell(() -> new CacheEvent.WaitTimedOut(engine.name, key, Duration.ofNanos(now - since)));
            fail(new WaitTimeoutException(report("wait timeout"), null));
        }
    }

    private void loadAlone(CallerLane caller) {
        LoadAlone<K, V> own = new LoadAlone<>(engine, this, caller, needLoader());
        alone = own;
        leaveFlight();
        own.start();
    }

    /** The message of an error of ours: what is known when it is thrown. */
    String report(String bound) {
        Flight<K, V> joined = flight;
        return "Cache " + engine.name + ": key " + key + " was not there after "
                + Duration.ofNanos(engine.now() - since).toMillis() + " ms (" + bound + "); "
                + (joined == null ? "the store had not answered" : joined.describe()) + "; load limiter "
                + engine.parts.permits().running() + " of "
                + engine.parts.permits().count + " running, "
                + engine.parts.permits().queued() + " queued; store "
                + (engine.steps.available() ? "reachable" : "not reachable");
    }

    // ---- the answer

    void serve(Entry<V> entry, long now, Source source) {
        boolean fresh = entry.softExpiry() - now > 0 || source == Source.LOAD;
        engine.served(key, source, fresh);
        Duration age = Duration.ofNanos(Math.max(0, now - entry.writtenAt()));
        complete(new Lookup<>(fresh ? Outcome.FRESH : Outcome.STALE, entry.value(), age, Duration.ZERO, source));
    }

    /** There is no fresh value to be had: the stale one if that is allowed, else the reason. */
    void fail(Throwable reason) {
        if (!servedByFallback(engine.now())) {
            finish(null, reason);
        }
    }

    private boolean servedByFallback(long now) {
        Fallback<V> stale = fallback;
        if (stale == null || !engine.freshness.servesOnError(stale.entry, now)) {
            return false;
        }
        serve(stale.entry, now, stale.source);
        return true;
    }

    /** The waiting thread was interrupted. */
    void interrupted() {
        finish(null, new WaitInterruptedException(report("interrupted"), null));
    }

    void complete(Lookup<V> answer) {
        finish(answer, null);
    }

    private void finish(@Nullable Lookup<V> answer, @Nullable Throwable reason) {
        if (lane instanceof CallerLane caller) {
            settle(answer, reason);
            caller.wake();
        } else {
            answered = true;
            // What hangs on the caller's future is the caller's code: not on a thread of the store's.
            lane.execute(() -> settle(answer, reason));
        }
    }

    private void settle(@Nullable Lookup<V> answer, @Nullable Throwable reason) {
        boolean first =
                reason != null ? result.completeExceptionally(reason) : result.complete(Objects.requireNonNull(answer));
        synchronized (this) {
            if (bell != null) {
                bell.cancel();
            }
        }
        if (first) {
            leaveAll();
        }
    }

    /** Nobody is to do anything for this request's sake any more. */
    private void leaveAll() {
        leaveFlight();
        LoadAlone<K, V> own = alone;
        if (own != null) {
            own.withdraw();
        }
        Together<K, V> others = together;
        if (others != null) {
            others.leadsNone(key);
        }
    }

    private void leaveFlight() {
        Flight<K, V> joined = flight;
        if (joined != null) {
            joined.leave(this);
        }
    }
}
