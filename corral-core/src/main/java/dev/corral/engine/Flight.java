package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.LoadFailedException;
import dev.corral.LoadRejectedException;
import dev.corral.LoadTimeoutException;
import dev.corral.Loader;
import dev.corral.Source;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Cost;
import dev.corral.spi.Delays;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.StoreException;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A load in progress inside this process: one leader, any number of followers, from the question for the lease to the
 * answer of the commit.
 *
 * <p>Who may share what it brings? A follower's read must not yield a value that was invalidated before it began:
 *
 * <ul>
 *   <li>An entry that the store handed over answers only followers who were there when the store was asked.
 *   <li>A loaded value answers all, if the store took it: it checked, after the last follower had joined (the flight is
 *       sealed before its commit is sent), that nothing was invalidated since the load began.
 *   <li>If the store rejected it, only those who were there before the load began keep it; the others start again.
 * </ul>
 */
final class Flight<K, V> implements Load.End<V> {
    private static final int MOST_UNREADABLE = 3;

    private enum Phase {
        ASKING,
        WAITING,
        QUEUED,
        LOADING,
        SEALED
    }

    /** A follower, and what it may share. */
    private record Seat<K, V>(Request<K, V> request, int questionsBefore, boolean loadBegun) {}

    private final Engine<K, V> engine;
    private final K key;
    private final Executor lane;
    private final boolean background;
    private final boolean withoutStore;
    private final @Nullable BulkLoad<K, V> bulk;
    private final Token token;
    private final Load<V> load;
    private final Runnable wake = this::news;
    private final long started;
    private final List<Seat<K, V>> seats = new ArrayList<>();

    // Guarded by this flight's monitor.
    private Phase phase = Phase.ASKING;
    private @Nullable Known known;
    private int questions;
    private int unreadable;
    private boolean wokenSinceQuestion;
    private boolean loadBegun;
    private long epoch;
    private long askedAt;
    private @Nullable Grant grant;
    private @Nullable LeaseKeeper<K> keeper;
    private Delays.@Nullable Timer poll;
    private @Nullable Runnable onEnd;

    Flight(
            Engine<K, V> engine,
            K key,
            Loader<? super K, ? extends V> loader,
            Executor lane,
            boolean background,
            @Nullable Known known,
            boolean withoutStore,
            @Nullable BulkLoad<K, V> bulk) {
        this.engine = engine;
        this.key = key;
        this.lane = lane;
        this.background = background;
        this.known = known;
        this.withoutStore = withoutStore;
        this.bulk = bulk;
        this.token = Token.random(engine.platform.random());
        this.started = engine.now();
        this.load = new Load<>(engine, key, lane, () -> loader.load(key), this);
    }

    void onEnd(Runnable action) {
        onEnd = action;
    }

    // ---- followers

    /** Takes a seat; false if this flight can no longer be joined. */
    synchronized boolean join(Request<K, V> request) {
        if (phase == Phase.SEALED) {
            return false;
        }
        seats.add(new Seat<>(request, questions, loadBegun));
        request.seatedIn(this);
        return true;
    }

    /** The request has its answer from elsewhere. A flight that only waited for its followers' sake ends with the last. */
    void leave(Request<K, V> request) {
        boolean giveUp;
        synchronized (this) {
            seats.removeIf(seat -> seat.request == request);
            giveUp = seats.isEmpty()
                    && !background
                    && (phase == Phase.WAITING || (phase == Phase.QUEUED && load.withdraw()));
            if (giveUp) {
                phase = Phase.SEALED;
            }
        }
        if (giveUp) {
            end();
            giveLeaseUp(Duration.ZERO, "nobody waits any more");
        }
    }

    /** What an incident report says of this flight. */
    synchronized String describe() {
        return "the flight is " + phase.name().toLowerCase(java.util.Locale.ROOT) + " since "
                + Duration.ofNanos(engine.now() - started).toMillis() + " ms with " + seats.size() + " callers"
                + (grant == null ? ", its lease is somebody else's" : "");
    }

    // ---- the lease

    void start() {
        if (withoutStore || !engine.usesStore(key)) {
            loadWithoutStore();
            return;
        }
        if (engine.needsLease()) {
            engine.wakeups.register(key, wake); // before the question, or the answer to it could be missed
        }
        ask();
    }

    private void ask() {
        Token unwanted;
        synchronized (this) {
            if (phase == Phase.SEALED) {
                return;
            }
            phase = Phase.ASKING;
            questions++;
            wokenSinceQuestion = false;
            epoch = engine.epochs.of(key);
            askedAt = engine.now();
            unwanted = known == null ? null : known.commitId();
        }
        Duration lease = engine.needsLease() ? engine.settings.lease() : Duration.ZERO;
        Stages.then(engine.steps.acquire(key, token, lease, unwanted), lane, this::answered);
    }

    private void answered(@Nullable Acquisition answer, @Nullable StoreException trouble) {
        if (answer == null) {
            loadWithoutStore();
        } else if (answer instanceof Acquisition.Fresh fresh) {
            handedOver(fresh);
        } else if (answer instanceof Acquisition.Granted granted) {
            granted(granted.grant());
        } else if (answer instanceof Acquisition.Busy busy) {
            busy(busy.leftNanos());
        } else if (answer instanceof Acquisition.BackingOff backingOff) {
            backingOff(backingOff.leftNanos(), backingOff.reason());
        }
    }

    private void handedOver(Acquisition.Fresh fresh) {
        Entry<V> entry = engine.values.decode(key, fresh.entry(), engine.steps.clock());
        if (entry == null || entry.softExpiry() - engine.now() <= 0) { // unreadable, or over by now
            boolean again;
            synchronized (this) {
                known = new Known(fresh.entry().commitId(), fresh.entry().cost());
                again = ++unreadable < MOST_UNREADABLE;
            }
            if (again) {
                ask();
            } else {
                loadWithoutStore(); // somebody keeps storing what we cannot read: share the load in this process only
            }
            return;
        }
        goesWithoutBulk();
        int asked;
        synchronized (this) {
            phase = Phase.SEALED;
            asked = questions;
        }
        engine.near.fill(key, entry, epoch, askedAt);
        engine.notes.renewed(key);
        end();
        long now = engine.now();
        answer(seat -> {
            if (seat.questionsBefore < asked) {
                seat.request.serve(entry, now, Source.STORE);
            } else {
                seat.request.restart();
            }
        });
    }

    private void busy(long leftNanos) {
        goesWithoutBulk();
        boolean askAgain = false;
        boolean giveUp = false;
        synchronized (this) {
            if (seats.isEmpty()) {
                giveUp = true; // an early refresh that somebody else does already, or nobody is left
                phase = Phase.SEALED;
            } else if (wokenSinceQuestion) {
                askAgain = true;
            } else {
                phase = Phase.WAITING;
                long wait = Math.min(
                        leftNanos + 1_000_000, engine.settings.pollInterval().toNanos());
                poll = engine.platform.delays().after(Math.max(1, wait), () -> lane.execute(this::askIfWaiting));
            }
        }
        if (giveUp) {
            engine.notes.quietUntil(key, engine.now() + leftNanos);
            end();
        } else if (askAgain) {
            ask();
        }
    }

    private void news() {
        boolean waiting;
        synchronized (this) {
            wokenSinceQuestion = true;
            waiting = phase == Phase.WAITING;
        }
        if (waiting) {
            lane.execute(this::askIfWaiting);
        }
    }

    private void askIfWaiting() {
        synchronized (this) {
            if (phase != Phase.WAITING) {
                return;
            }
            phase = Phase.ASKING;
            if (poll != null) {
                poll.cancel();
            }
        }
        if (engine.usesStore(key)) {
            ask();
        } else {
            loadWithoutStore();
        }
    }

    private void backingOff(long leftNanos, String reason) {
        goesWithoutBulk();
        synchronized (this) {
            phase = Phase.SEALED;
        }
        engine.notes.quietUntil(key, engine.now() + leftNanos);
        end();
        answer(seat -> {
            engine.meters.backOffs.increment();
            seat.request.fail(new LoadFailedException(
                    "Cache " + engine.name + " backs off from key " + key + " for another "
                            + Duration.ofNanos(leftNanos).toMillis() + " ms, because its last load failed: " + reason,
                    null));
        });
    }

    private void granted(Grant granted) {
        boolean mayQueue;
        synchronized (this) {
            grant = granted;
            phase = Phase.QUEUED;
            mayQueue = !background || !seats.isEmpty();
            if (engine.needsLease()) {
                keeper = new LeaseKeeper<>(engine, key, granted, engine.settings.lease(), askedAt);
                keeper.start();
            }
        }
        if (bulk == null || !bulk.takes(this)) {
            startLoad(mayQueue);
        }
    }

    private void loadWithoutStore() {
        LocalFailures.Failure failure = engine.failures.live(key, engine.now());
        if (failure != null) {
            backingOff(failure.until() - engine.now(), failure.reason());
            return;
        }
        synchronized (this) {
            phase = Phase.QUEUED;
            epoch = engine.epochs.of(key);
            askedAt = engine.now();
        }
        engine.meters.outageLoads.increment();
        if (bulk == null || !bulk.takes(this)) {
            startLoad(true);
        }
    }

    private void startLoad(boolean mayQueue) {
        load.start(mayQueue);
        boolean abandoned;
        synchronized (this) {
            // the last follower may have left between the lease and the queue
            abandoned = seats.isEmpty() && !background && phase == Phase.QUEUED && load.withdraw();
            if (abandoned) {
                phase = Phase.SEALED;
            }
        }
        if (abandoned) {
            end();
            giveLeaseUp(Duration.ZERO, "nobody waits any more");
        }
    }

    // ---- the load

    @Override
    public synchronized void began() {
        loadBegun = true;
        if (phase == Phase.QUEUED) {
            phase = Phase.LOADING;
        }
        // A leader that runs the loader itself has no bound any more: its thread comes back when the loader does.
        if (lane instanceof CallerLane) {
            seats.forEach(seat -> seat.request.carriesIf(lane));
        }
    }

    @Override
    public void rejected(String why, @Nullable Throwable cause) {
        seal();
        engine.meters.loadsRejected.increment();
        if (background) {
            engine.refreshRefused(key, why);
        }
        engine.events.tell(() -> new CacheEvent.LoadRejected(engine.name, key));
        giveLeaseUp(Duration.ZERO, why);
        end();
        answer(seat -> seat.request.fail(
                new LoadRejectedException("Cache " + engine.name + " cannot load key " + key + " now: " + why, cause)));
    }

    @Override
    public void overdue() {
        seal();
        Duration limit = engine.settings.maximumLoadTime();
        engine.events.tell(() -> new CacheEvent.LoadOverdue(engine.name, key, limit));
        String what = "Cache " + engine.name + ": the load of key " + key + " ran past the maximum load time of "
                + limit.toMillis() + " ms";
        Duration backOff = noteFailure(what);
        giveLeaseUp(backOff, what);
        end();
        answer(seat -> !seat.request.isCarried(), seat -> seat.request.fail(new LoadTimeoutException(what, null)));
    }

    @Override
    public void failed(Throwable cause, long costNanos) {
        boolean late = seal();
        if (late) {
            end();
            Throwable forLeader = engine.forCallers(key, cause);
            answer(seat -> seat.request.fail(forLeader));
            return;
        }
        if (cause instanceof InterruptedException) {
            abandoned(cause);
            return;
        }
        Duration backOff = noteFailure(String.valueOf(cause));
        engine.events.tell(() -> new CacheEvent.LoadFailed(engine.name, key, cause, backOff));
        Throwable forCallers = engine.forCallers(key, cause);
        // Callers hear of it once the marker is set, so that one who tries again at once meets the back-off.
        Grant held = released();
        if (held == null) {
            end();
            answer(seat -> seat.request.fail(forCallers));
            return;
        }
        Stages.then(engine.steps.fail(key, held, backOff, Text.brief(cause)), lane, (done, trouble) -> {
            end();
            answer(seat -> seat.request.fail(forCallers));
        });
    }

    /** The leader was interrupted: its own read fails, the others begin again, and the key is not to blame. */
    private void abandoned(Throwable cause) {
        if (lane instanceof CallerLane) {
            Thread.currentThread().interrupt();
        }
        giveLeaseUp(Duration.ZERO, "the leader was interrupted");
        end();
        Throwable forLeader = engine.forCallers(key, cause);
        answer(seat -> {
            if (seat.request.isCarried() || background) {
                seat.request.fail(forLeader);
            } else {
                seat.request.restart();
            }
        });
    }

    @Override
    public void ended(@Nullable V value, long costNanos) {
        Cost cost = costOfKnown().next(costNanos);
        engine.loaded(key, costNanos);
        Draft draft;
        try {
            draft = engine.values.draft(key, value, cost);
        } catch (Throwable e) {
            failed(
                    new LoadFailedException(
                            "Cache " + engine.name + ": the value loaded for key " + key + " cannot be encoded", e),
                    costNanos);
            return;
        }
        boolean late = seal();
        Grant held = released();
        long sent = engine.now();
        Entry<V> entry = engine.values.entry(value, draft, sent, token);
        if (held == null) {
            loadedWithoutStore(entry, draft, sent);
            return;
        }
        engine.failures.forget(key);
        Stages.then(engine.steps.commit(key, held, draft), lane, (answer, trouble) -> {
            if (late) {
                committedLate(entry, answer);
            } else if (answer == Committed.REJECTED) {
                rejectedByStore(entry, sent);
            } else {
                // Without an answer nobody knows whether it was stored; the value is as good as its load.
                kept(entry, draft, sent);
                if (answer == Committed.STORED_LOAD_AGAIN) {
                    engine.refreshInBackground(key, new Known(token, entry.cost()), null);
                }
            }
        });
    }

    private void kept(Entry<V> entry, Draft draft, long sent) {
        if (!draft.freshFor().isZero()) {
            engine.near.fill(key, entry, epoch, sent);
        } else {
            engine.near.remove(key);
        }
        engine.notes.renewed(key);
        end();
        answer(seat -> seat.request.serve(entry, sent, Source.LOAD));
    }

    private void committedLate(Entry<V> entry, @Nullable Committed answer) {
        if (answer != Committed.REJECTED) {
            engine.near.remove(key);
        } else {
            engine.commitRejected(key);
        }
        end();
        answer(seat -> seat.request.serve(entry, engine.now(), Source.LOAD));
    }

    private void loadedWithoutStore(Entry<V> entry, Draft draft, long sent) {
        engine.failures.forget(key);
        if (engine.epochs.of(key) != epoch) {
            rejectedByStore(entry, sent);
        } else if (engine.bypassed()) {
            end();
            answer(seat -> seat.request.serve(entry, sent, Source.LOAD));
        } else {
            kept(entry, draft, sent);
        }
    }

    private void rejectedByStore(Entry<V> entry, long sent) {
        engine.commitRejected(key);
        end();
        answer(seat -> {
            if (seat.loadBegun && !seat.request.isCarried()) {
                seat.request.restart();
            } else {
                seat.request.serve(entry, sent, Source.LOAD);
            }
        });
    }

    // ---- the end

    /** Nobody joins any more; true if nobody could already. */
    private boolean seal() {
        boolean late;
        synchronized (this) {
            late = phase == Phase.SEALED;
            phase = Phase.SEALED;
        }
        engine.flights.remove(key, this);
        return late;
    }

    /** Takes this flight out of everything it is registered in; may be called twice. */
    private void end() {
        engine.flights.remove(key, this);
        engine.wakeups.unregister(key, wake);
        Runnable action;
        synchronized (this) {
            if (poll != null) {
                poll.cancel();
            }
            if (keeper != null) {
                keeper.stop();
            }
            action = onEnd;
            onEnd = null;
        }
        engine.wakeups.wake(key); // flights of this process that lost the race for the lease against this one
        if (action != null) {
            action.run();
        }
    }

    private void answer(Consumer<Seat<K, V>> answer) {
        answer(seat -> true, answer);
    }

    private void answer(Predicate<Seat<K, V>> whom, Consumer<Seat<K, V>> answer) {
        List<Seat<K, V>> chosen;
        synchronized (this) {
            chosen = seats.stream().filter(whom).toList();
            seats.removeAll(chosen);
        }
        chosen.forEach(answer);
    }

    /** The grant, with its renewal stopped; null if there is none. */
    private synchronized @Nullable Grant released() {
        if (keeper != null) {
            keeper.stop();
        }
        return grant;
    }

    private void giveLeaseUp(Duration backOff, String reason) {
        Grant held = released();
        if (held != null) {
            engine.steps.fail(key, held, backOff, Text.brief(reason));
        }
    }

    private Duration noteFailure(String reason) {
        Grant held;
        synchronized (this) {
            held = grant;
        }
        int before = held != null ? held.failures() : engine.failures.count(key);
        Duration backOff = engine.backOffAfter(before);
        engine.failures.record(key, engine.now() + backOff.toNanos(), before + 1, Text.brief(reason));
        engine.notes.quietUntil(key, engine.now() + backOff.toNanos());
        return backOff;
    }

    private synchronized Cost costOfKnown() {
        return known == null ? Cost.UNKNOWN : known.cost();
    }

    private void goesWithoutBulk() {
        if (bulk != null) {
            bulk.goesWithout(this);
        }
    }

    K key() {
        return key;
    }
}
