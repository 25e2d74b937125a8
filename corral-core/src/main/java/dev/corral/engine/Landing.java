package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.LoadFailedException;
import dev.corral.LoadRejectedException;
import dev.corral.LoadTimeoutException;
import dev.corral.Source;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What becomes of a flight's load: the value to the store, the near tier and the followers, or the failure. */
final class Landing<K, V> implements Load.End<V> {
    private final Flight<K, V> flight;
    private final Engine<K, V> engine;
    private final K key;
    private volatile boolean onCallersThread;

    Landing(Flight<K, V> flight) {
        this.flight = flight;
        this.engine = flight.engine;
        this.key = flight.key;
    }

    @Override
    public boolean permitted(boolean waited) {
        boolean ready = !waited || !flight.mustAskAgain();
        if (ready) {
            flight.keepLease();
        } else {
            flight.askAgain();
        }
        return ready;
    }

    @Override
    public void began(boolean onThread) {
        onCallersThread = onThread;
        flight.loading(onThread);
    }

    // ---- no value

    @Override
    public void rejected(String why, @Nullable Throwable cause) {
        flight.seal();
        flight.goesWithout();
        flight.isFruitless();
        engine.meters.loadsRejected.increment();
        if (flight.background) {
            engine.refreshRefused(key, why);
        }
        engine.events.tell(() -> new CacheEvent.LoadRejected(engine.name, key));
        flight.giveLeaseUp(Duration.ZERO, why);
        flight.end();
        boolean restart = flight.wasNotToQueue();
        Throwable reason =
                new LoadRejectedException("Cache " + engine.name + " cannot load key " + key + " now: " + why, cause);
        flight.answer(follower -> {
            if (restart) { // it joined a refresh that was not to queue; its own load may
                follower.request().restart();
            } else {
                follower.request().fail(reason);
            }
        });
    }

    @Override
    public void overdue() {
        flight.seal();
        flight.isFruitless();
        Duration limit = engine.settings.maximumLoadTime();
        engine.events.tell(() -> new CacheEvent.LoadOverdue(engine.name, key, limit));
        String what = "Cache " + engine.name + ": the load of key " + key + " ran past the maximum load time of "
                + limit.toMillis() + " ms";
        flight.giveLeaseUp(noteFailure(what), what);
        flight.end();
        flight.answer(
                follower -> !follower.request().isCarried(),
                follower -> follower.request().fail(new LoadTimeoutException(what, null)));
    }

    @Override
    public void failed(Throwable cause, long costNanos) {
        flight.guard(() -> endWithout(cause));
    }

    private void endWithout(Throwable cause) {
        boolean late = flight.seal();
        flight.isFruitless();
        Throwable forCallers = engine.forCallers(key, cause);
        if (late) {
            flight.end();
            failAll(forCallers);
        } else if (onCallersThread && isInterruption(cause)) {
            leaderInterrupted(forCallers);
        } else {
            loaderFailed(cause, forCallers);
        }
    }

    /** Also when the loader's own code has wrapped it; the flag is what such code leaves behind. */
    private static boolean isInterruption(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof InterruptedException) {
                return true;
            }
        }
        return Thread.currentThread().isInterrupted();
    }

    /** The leader's own read fails, the others begin again, and the key is not to blame. */
    private void leaderInterrupted(Throwable forLeader) {
        Thread.currentThread().interrupt();
        flight.giveLeaseUp(Duration.ZERO, "the leader was interrupted");
        flight.end();
        flight.answer(follower -> {
            if (follower.request().isCarried()) {
                follower.request().fail(forLeader);
            } else {
                follower.request().restart();
            }
        });
    }

    private void loaderFailed(Throwable cause, Throwable forCallers) {
        Duration backOff = noteFailure(String.valueOf(cause));
        engine.events.tell(() -> new CacheEvent.LoadFailed(engine.name, key, cause, backOff));
        Grant held = flight.released();
        if (held == null) {
            flight.end();
            failAll(forCallers);
            return;
        }
        // Callers hear of it once the marker is set, so that one who tries again at once meets the back-off.
        Stages.then(engine.steps.fail(key, held, backOff, Text.brief(cause)), flight.lane, (done, trouble) -> {
            flight.end();
            failAll(forCallers);
        });
    }

    private Duration noteFailure(String reason) {
        int before = flight.failuresBefore();
        Duration backOff = engine.backOffAfter(before);
        long until = engine.now() + backOff.toNanos();
        engine.failures.record(key, until, before + 1, Text.brief(reason));
        engine.notes.quietUntil(key, until);
        return backOff;
    }

    private void failAll(Throwable reason) {
        flight.answer(follower -> follower.request().fail(reason));
    }

    // ---- a value

    @Override
    public void ended(@Nullable V value, long costNanos) {
        flight.guard(() -> loaded(value, costNanos));
    }

    private void loaded(@Nullable V value, long costNanos) {
        engine.loaded(key, costNanos);
        Draft draft;
        try {
            draft = engine.values.draft(key, value, flight.costBefore().next(costNanos));
        } catch (Throwable e) {
            endWithout(new LoadFailedException(
                    "Cache " + engine.name + ": the value loaded for key " + key + " cannot be encoded", e));
            return;
        }
        boolean late = flight.seal();
        Grant held = flight.released();
        long sent = engine.now();
        Entry<V> entry = engine.values.entry(value, draft, sent, flight.token);
        if (held == null) {
            loadedWithoutStore(entry, draft, sent);
            return;
        }
        engine.failures.forget(key);
        Stages.then(
                engine.steps.commit(key, held, draft),
                flight.lane,
                (answer, trouble) -> flight.guard(() -> {
                    if (late) {
                        committedLate(entry, answer);
                    } else if (answer == null) {
                        notAnswered(entry, draft, sent, held, trouble);
                    } else {
                        committed(entry, draft, sent, answer);
                    }
                }));
    }

    /** The value is as good as its load, but nobody knows what came between. */
    private void notAnswered(Entry<V> entry, Draft draft, long sent, Grant held, @Nullable StoreException trouble) {
        boolean refused = trouble != null && trouble.reason() == StoreException.Reason.REFUSED;
        keep(entry, draft, flight.question().sentAt()); // news since then may have been missed with the answer
        if (refused) {
            giveLeaseUp(); // or callers would wait for its end
        } else {
            commitAgain(entry, draft, held);
        }
        serveThoseBefore(entry, sent);
    }

    /** It may have been carried out, and its answer may have been that the source had changed: nobody else has it. */
    private void commitAgain(Entry<V> entry, Draft draft, Grant held) {
        Stages.then(engine.steps.commit(key, held, draft), engine.platform.continuations(), (answer, trouble) -> {
            if (answer == null) {
                giveLeaseUp();
                engine.dropLater(key);
            } else if (answer == Committed.STORED_LOAD_AGAIN) {
                engine.loadAgain(key, new Known(flight.token, entry.cost()));
            } else if (answer == Committed.REJECTED) {
                engine.near.remove(key);
                engine.commitRejected(key);
            }
        });
    }

    private void giveLeaseUp() {
        flight.giveLeaseUp(Duration.ZERO, "the commit was not answered");
    }

    private void committed(Entry<V> entry, Draft draft, long sent, Committed answer) {
        switch (answer) {
            case STORED -> {
                keep(entry, draft, sent);
                serveAll(entry, sent);
            }
            case STORED_LOAD_AGAIN -> {
                flight.end();
                serveAll(entry, sent);
                engine.loadAgain(key, new Known(flight.token, entry.cost()));
            }
            case REJECTED -> {
                engine.commitRejected(key);
                flight.end();
                serveThoseBefore(entry, sent);
            }
        }
    }

    private void committedLate(Entry<V> entry, @Nullable Committed answer) {
        if (answer == Committed.REJECTED) {
            engine.commitRejected(key);
        } else {
            engine.near.remove(key);
        }
        flight.end();
        serveAll(entry, engine.now());
    }

    private void loadedWithoutStore(Entry<V> entry, Draft draft, long sent) {
        engine.failures.forget(key);
        if (engine.epochs.of(key) != flight.question().epoch()) {
            engine.commitRejected(key);
            flight.end();
            serveThoseBefore(entry, sent);
            return;
        }
        if (engine.bypassed()) {
            flight.end();
        } else {
            keep(entry, draft, sent);
        }
        serveAll(entry, sent);
    }

    /** @param since from when the near tier counts its time to live */
    private void keep(Entry<V> entry, Draft draft, long since) {
        if (draft.freshFor().isZero()) {
            engine.near.remove(key);
        } else {
            engine.near.fill(key, entry, flight.question().epoch(), since);
        }
        engine.notes.renewed(key);
        flight.end();
    }

    private void serveAll(Entry<V> entry, long sent) {
        flight.answer(follower -> follower.request().serve(entry, sent, Source.LOAD));
    }

    /** Those who came while it was being loaded start again: their reads may have begun after an invalidation. */
    private void serveThoseBefore(Entry<V> entry, long sent) {
        flight.answer(follower -> {
            if (follower.loadBegun() && !follower.request().isCarried()) {
                follower.request().restart();
            } else {
                follower.request().serve(entry, sent, Source.LOAD);
            }
        });
    }
}
