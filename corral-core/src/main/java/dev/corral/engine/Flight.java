package dev.corral.engine;

import dev.corral.Loader;
import dev.corral.spi.Cost;
import dev.corral.spi.Delays;
import dev.corral.spi.Grant;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A load in progress inside this process: one leader, any number of followers, from the question for the lease ({@link
 * Asking}) to the answer of the commit ({@link Landing}). This class is its state: the phase, the followers, the lease.
 *
 * <p>Who may share what it brings? A follower's read must not yield a value that was invalidated before it began:
 *
 * <ul>
 *   <li>An entry that the store handed over answers only followers who were there when the store was asked.
 *   <li>A loaded value answers all, if the store took it: it checked, after the last follower had joined (the flight is
 *       sealed before its commit is sent), that nothing was invalidated since the load began.
 *   <li>If the store rejected it, or nobody knows, only those who were there before the load began keep it; the others
 *       start again.
 * </ul>
 */
final class Flight<K, V> {
    private enum Phase {
        ASKING,
        WAITING,
        QUEUED,
        LOADING,
        SEALED
    }

    /** One who waits for this flight, and what it may share: the leader is a follower of its own flight. */
    record Follower<K, V>(Request<K, V> request, int questionsBefore, boolean loadBegun) {}

    /** A question for the lease: its number, when it was sent, and the key's local epoch then. */
    record Question(int number, long sentAt, long epoch) {}

    final Engine<K, V> engine;
    final K key;
    final Executor lane;
    final boolean background;
    final Token token;
    final Load<V> load;
    final Landing<K, V> landing;
    private final Asking<K, V> asking;
    private final @Nullable Together<K, V> together;
    private final long started;
    private final List<Follower<K, V>> followers = new ArrayList<>();

    // Guarded by this flight's monitor.
    private Phase phase = Phase.ASKING;
    private Question question;
    private boolean newsSinceQuestion;
    private boolean loadBegun;
    private boolean fruitless;
    private boolean notToQueue;
    private @Nullable Known known;
    private @Nullable HeldLease<K> lease;
    private Delays.@Nullable Timer poll;
    private @Nullable Consumer<Boolean> onEnd;

    Flight(
            Engine<K, V> engine,
            K key,
            Loader<? super K, ? extends V> loader,
            Executor lane,
            boolean background,
            @Nullable Known known,
            boolean withoutStore,
            @Nullable Together<K, V> together) {
        this.engine = engine;
        this.key = key;
        this.lane = lane;
        this.background = background;
        this.known = known;
        this.together = together;
        this.token = Token.random(engine.platform.random());
        this.started = engine.now();
        this.question = new Question(0, started, engine.epochs.of(key));
        this.asking = new Asking<>(this, withoutStore);
        this.landing = new Landing<>(this);
        this.load = new Load<>(engine, () -> Set.of(key), engine.laneForLoader(lane), () -> loader.load(key), landing);
    }

    /** Hears of the end, and whether it came without a value that this flight was to bring. */
    void onEnd(Consumer<Boolean> action) {
        onEnd = action;
    }

    void start() {
        guard(asking::start);
    }

    // ---- followers

    /** Takes a follower in; false if this flight can no longer be joined. */
    synchronized boolean join(Request<K, V> request) {
        if (phase == Phase.SEALED) {
            return false;
        }
        followers.add(new Follower<>(request, question.number, loadBegun));
        request.joined(this);
        return true;
    }

    /** The request has its answer from elsewhere. */
    void leave(Request<K, V> request) {
        synchronized (this) {
            followers.removeIf(follower -> follower.request == request);
        }
        endIfDeserted();
    }

    /** A flight that only waits for its followers' sake ends with the last. */
    void endIfDeserted() {
        // Not with the monitor held: a batch asks its flights with its own.
        boolean letGo = together != null && isDesertedIn(Phase.QUEUED) && together.letsGo(this);
        boolean joined;
        synchronized (this) {
            joined = !followers.isEmpty();
            if (isDesertedIn(Phase.WAITING) || (isDesertedIn(Phase.QUEUED) && (letGo || load.withdraw()))) {
                phase = Phase.SEALED;
            } else if (!letGo) {
                return;
            }
        }
        if (joined) { // just when its batch had let it go: it loads for itself
            load.start(true);
            endIfDeserted();
            return;
        }
        giveLeaseUp(Duration.ZERO, "nobody waits any more");
        end();
    }

    private synchronized boolean isDesertedIn(Phase one) {
        return phase == one && followers.isEmpty() && !background;
    }

    synchronized boolean hasFollowers() {
        return !followers.isEmpty();
    }

    /** What an incident report says of this flight. */
    synchronized String describe() {
        return "the flight is " + phase.name().toLowerCase(Locale.ROOT) + " since "
                + Duration.ofNanos(engine.now() - started).toMillis() + " ms with " + followers.size() + " callers"
                + (lease == null ? ", its lease is somebody else's" : "");
    }

    // ---- the question

    /** From now on a question is under way; null if the flight is over. */
    synchronized @Nullable Question ask() {
        if (phase == Phase.SEALED) {
            return null;
        }
        phase = Phase.ASKING;
        newsSinceQuestion = false;
        if (lease != null) {
            lease.stop();
            lease = null;
        }
        question = new Question(question.number + 1, engine.now(), engine.epochs.of(key));
        return question;
    }

    /** The last question; what the flight brings is as old as that, or younger. */
    synchronized Question question() {
        return question;
    }

    synchronized @Nullable Known known() {
        return known;
    }

    synchronized void willNotDo(Known entry) {
        known = entry;
    }

    synchronized Cost costBefore() {
        return known == null ? Cost.UNKNOWN : known.cost();
    }

    /** Waits, at most that long, unless there has been news since the question; true if it waits. */
    synchronized boolean waits(long nanos, Runnable ask) {
        if (newsSinceQuestion || phase == Phase.SEALED) {
            return false;
        }
        phase = Phase.WAITING;
        poll = engine.platform.delays().after(nanos, ask);
        return true;
    }

    /** There is news of the key; true if that is worth a question. */
    synchronized boolean news() {
        newsSinceQuestion = true;
        if (phase == Phase.QUEUED && lease != null && lease.isOld() && load.withdraw()) {
            phase = Phase.WAITING; // the lease has lapsed in the limiter's queue: what is new may be the value
        }
        return phase == Phase.WAITING;
    }

    /** The waiting is over, for one of those who want to end it. */
    synchronized boolean stopsWaiting() {
        if (phase != Phase.WAITING) {
            return false;
        }
        phase = Phase.ASKING;
        if (poll != null) {
            poll.cancel();
        }
        return true;
    }

    // ---- the load

    /** The right to load is there, or null if the store has no say in it. */
    void mayLoad(@Nullable HeldLease<K> granted) {
        boolean mayQueue;
        synchronized (this) {
            lease = granted;
            phase = Phase.QUEUED;
            mayQueue = !background || !followers.isEmpty();
            notToQueue = !mayQueue;
            if (granted == null) {
                question = new Question(question.number, engine.now(), engine.epochs.of(key));
            }
        }
        if (together == null || !together.takes(this)) {
            load.start(mayQueue);
        }
        endIfDeserted(); // the last follower may have left between the lease and the queue
    }

    /**
     * After a wait for the permit: true if the store must be asked, because the lease may have lapsed or the store is
     * back, or if news has detached this flight, so that there may be another of its key.
     */
    synchronized boolean mustAskAgain() {
        boolean lapsed = lease == null ? engine.usesStore(key) : lease.isOld();
        return lapsed || (isShared() && !engine.flights.has(key, this));
    }

    /** Renews the lease from now on. */
    synchronized void keepLease() {
        if (lease != null) {
            lease.keep();
        }
    }

    /** True if the load was to take only a permit that is free. */
    synchronized boolean wasNotToQueue() {
        return notToQueue;
    }

    /** True if the loader runs for the caller of that lane. */
    synchronized boolean isLoadingFor(Executor caller) {
        return phase == Phase.LOADING && lane == caller;
    }

    /** Asks again as the key's flight; beside another only if the lease decides between the two. */
    void askAgain() {
        guard(() -> {
            boolean alone = !isShared() || engine.flights.add(key, this);
            if (alone || (engine.needsLease() && engine.usesStore(key))) {
                asking.again();
            } else {
                leaveToSuccessor();
            }
        });
    }

    private boolean isShared() {
        return background || engine.sharesFlights();
    }

    /** No lease keeps the two apart: the followers begin again, and find the successor or its value. */
    private void leaveToSuccessor() {
        abandon("another flight has taken this one's place");
        end();
        answer(follower -> follower.request.restart());
    }

    synchronized void loading(boolean onCallersThread) {
        loadBegun = true;
        if (phase == Phase.QUEUED) {
            phase = Phase.LOADING;
        }
        if (lease != null) {
            lease.keep(); // for as long as a load can take, from now
        }
        // A leader that runs the loader itself has no bound any more: its thread comes back when the loader does.
        if (onCallersThread) {
            followers.forEach(follower -> follower.request.carriesIf(lane));
        }
    }

    /** It waits for somebody else, or has its answer: the others of its batch need not wait for it. */
    void goesWithout() {
        if (together != null) {
            together.goesWithout(this);
        }
    }

    // ---- the lease

    /** The grant, with its renewal stopped; null if there is none. */
    synchronized @Nullable Grant released() {
        if (lease == null) {
            return null;
        }
        lease.stop();
        return lease.grant();
    }

    /** How often the key had failed before, by the store if it was asked. */
    synchronized int failuresBefore() {
        return lease != null ? lease.grant().failures() : engine.failures.count(key);
    }

    void giveLeaseUp(Duration backOff, String reason) {
        Grant held = released();
        if (held != null) {
            engine.steps.fail(key, held, backOff, Text.brief(reason));
        }
    }

    // ---- the end

    /** Nobody joins any more; true if nobody could already. */
    boolean seal() {
        boolean late;
        synchronized (this) {
            late = phase == Phase.SEALED;
            phase = Phase.SEALED;
        }
        engine.flights.remove(key, this);
        return late;
    }

    /** The flight has not brought what it was to bring. */
    synchronized void isFruitless() {
        fruitless = true;
    }

    /** Takes this flight out of everything it is registered in; may be called twice. */
    void end() {
        engine.flights.remove(key, this);
        asking.unregister();
        Consumer<Boolean> action;
        boolean without;
        synchronized (this) {
            if (poll != null) {
                poll.cancel();
            }
            if (lease != null) {
                lease.stop();
            }
            action = onEnd;
            onEnd = null;
            without = fruitless;
        }
        engine.wakeups.wake(key); // flights of this process that lost the race for the lease against this one
        if (action != null) {
            action.accept(without);
        }
    }

    void answer(Consumer<Follower<K, V>> answer) {
        answer(follower -> true, answer);
    }

    void answer(Predicate<Follower<K, V>> whom, Consumer<Follower<K, V>> answer) {
        List<Follower<K, V>> chosen;
        synchronized (this) {
            chosen = followers.stream().filter(whom).toList();
            followers.removeAll(chosen);
        }
        chosen.forEach(answer);
    }

    /** Brings nothing, and gives back all that it holds. */
    private void abandon(String reason) {
        seal();
        goesWithout();
        load.giveUp();
        isFruitless();
        giveLeaseUp(Duration.ZERO, reason);
    }

    /** Ends the flight when something in it throws: a user's function, or a mistake of ours. Nobody is left waiting. */
    void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            abandon(String.valueOf(e));
            if (background) {
                engine.refreshRefused(key, String.valueOf(e));
            }
            end();
            answer(follower -> follower.request.fail(e));
        }
    }
}
