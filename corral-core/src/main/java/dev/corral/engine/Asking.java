package dev.corral.engine;

import dev.corral.LoadFailedException;
import dev.corral.Source;
import dev.corral.spi.Acquisition;
import dev.corral.spi.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a flight comes by the right to load: it asks the store, waits for news of somebody else's load, asks again. */
final class Asking<K, V> {
    private static final int MOST_UNREADABLE = 3;
    private static final int MOST_LAPSED = 3;
    private static final long A_MILLISECOND = 1_000_000;

    private final Flight<K, V> flight;
    private final Engine<K, V> engine;
    private final K key;
    private final boolean withoutStore;
    private final Runnable wake = this::news;
    private int unreadable;
    private int lapsed;
    private boolean registered;

    Asking(Flight<K, V> flight, boolean withoutStore) {
        this.flight = flight;
        this.engine = flight.engine;
        this.key = flight.key;
        this.withoutStore = withoutStore;
    }

    void start() {
        if (withoutStore || !engine.usesStore(key)) {
            loadWithoutStore();
            return;
        }
        ask();
    }

    void again() {
        if (engine.usesStore(key)) {
            ask();
        } else {
            loadWithoutStore();
        }
    }

    void unregister() {
        engine.wakeups.unregister(key, wake);
    }

    private void ask() {
        Flight.Question question = flight.ask();
        if (question == null) {
            flight.load.giveUp();
            return;
        }
        if (engine.needsLease() && !registered) {
            registered = true;
            engine.wakeups.register(key, wake); // before the question, or the answer to it could be missed
        }
        Known known = flight.known();
        Stages.then(
                engine.steps.acquire(key, flight.token, leaseTime(), known == null ? null : known.commitId()),
                flight.lane,
                (answer, trouble) -> flight.guard(() -> answered(question, answer, trouble)));
    }

    private Duration leaseTime() {
        return engine.needsLease() ? engine.settings.lease() : Duration.ZERO;
    }

    private void answered(Flight.Question question, @Nullable Acquisition answer, @Nullable StoreException trouble) {
        if (answer == null) {
            notAnswered(trouble);
        } else if (answer instanceof Acquisition.Fresh fresh) {
            handedOver(question, fresh);
        } else if (answer instanceof Acquisition.Granted granted) {
            granted(new HeldLease<>(engine, key, granted.grant(), leaseTime(), question.sentAt()));
        } else if (answer instanceof Acquisition.Busy busy) {
            busy(busy.leftNanos());
        } else if (answer instanceof Acquisition.BackingOff backingOff) {
            backingOff(backingOff.leftNanos(), backingOff.reason());
        }
    }

    private void granted(HeldLease<K> lease) {
        if (lease.isOver() && ++lapsed < MOST_LAPSED) {
            again(); // the answer was slower than the lease: it may be somebody else's by now
        } else {
            flight.mayLoad(lease);
        }
    }

    private void notAnswered(@Nullable StoreException trouble) {
        boolean forNobody = flight.background && !flight.hasFollowers() && !engine.near.exists();
        if (!forNobody) {
            loadWithoutStore();
            return;
        }
        // Neither a caller nor a tier would get the value; a store that refuses writes must not make us load for
        // nothing.
        flight.seal();
        flight.load.giveUp();
        flight.isFruitless();
        engine.refreshRefused(key, "the store did not grant the lease: " + trouble);
        flight.end();
    }

    private void handedOver(Flight.Question question, Acquisition.Fresh fresh) {
        Entry<V> entry = engine.values.decode(key, fresh.entry(), engine.steps.clock());
        if (entry == null || entry.softExpiry() - engine.now() <= 0) { // unreadable, or over by now
            flight.willNotDo(new Known(fresh.entry().commitId(), fresh.entry().cost()));
            if (++unreadable < MOST_UNREADABLE) {
                ask();
            } else {
                loadWithoutStore(); // somebody keeps storing what we cannot read: share the load in this process only
            }
            return;
        }
        flight.seal();
        flight.goesWithout();
        flight.load.giveUp();
        engine.near.fill(key, entry, question.epoch(), question.sentAt());
        engine.notes.renewed(key);
        flight.end();
        long now = engine.now();
        flight.answer(follower -> {
            if (follower.questionsBefore() < question.number()) {
                follower.request().serve(entry, now, Source.STORE);
            } else {
                follower.request().restart();
            }
        });
    }

    private void busy(long leftNanos) {
        flight.load.giveUp();
        if (!flight.hasFollowers()) { // an early refresh that somebody else does already, or nobody is left
            flight.seal();
            flight.goesWithout();
            engine.notes.quietUntil(key, engine.now() + leftNanos);
            flight.end();
            flight.answer(follower -> follower.request().restart()); // one that came just now
            return;
        }
        long longest = Math.min(
                leftNanos + A_MILLISECOND, engine.settings.pollInterval().toNanos());
        if (!flight.waits(Math.max(1, longest), () -> flight.lane.execute(this::askIfWaiting))) {
            ask();
            return;
        }
        flight.goesWithout();
        flight.endIfDeserted();
    }

    private void news() {
        if (flight.news()) {
            flight.lane.execute(this::askIfWaiting);
        }
    }

    private void askIfWaiting() {
        if (flight.stopsWaiting()) {
            flight.guard(this::again);
        }
    }

    private void backingOff(long leftNanos, String reason) {
        flight.seal();
        flight.goesWithout();
        flight.load.giveUp();
        flight.isFruitless();
        engine.notes.quietUntil(key, engine.now() + leftNanos);
        flight.end();
        flight.answer(follower -> {
            engine.meters.backOffs.increment();
            follower.request()
                    .fail(new LoadFailedException(
                            "Cache " + engine.name + " backs off from key " + key + " for another "
                                    + Duration.ofNanos(leftNanos).toMillis()
                                    + " ms, because its last load failed: " + reason,
                            null));
        });
    }

    private void loadWithoutStore() {
        LocalFailures.Failure failure = engine.failures.live(key, engine.now());
        if (failure != null) {
            backingOff(failure.until() - engine.now(), failure.reason());
            return;
        }
        if (flight.background) {
            flight.isFruitless(); // the store still has what was to be replaced
        }
        engine.meters.outageLoads.increment();
        flight.mayLoad(null);
    }
}
