package dev.corral.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The missing keys of a {@code getAll} without a bulk loader: loaded on the caller's thread one after the other, as
 * single reads would be. A key asks for its lease when its turn comes, so none is held, and no permit, behind another
 * key's loader; one that has to wait for somebody else's load lets the next begin. The first failure ends it.
 */
final class OneByOne<K, V> implements Together<K, V> {
    private final CallerLane lane;
    private final Deque<Miss<K, V>> line;
    private @Nullable Miss<K, V> turn;

    /** A key that has to be loaded. */
    record Miss<K, V>(Request<K, V> request, @Nullable Known known, boolean storeFailed) {}

    OneByOne(CallerLane lane, Collection<Miss<K, V>> line) {
        this.lane = lane;
        this.line = new ArrayDeque<>(line);
        line.forEach(miss -> miss.request.standInLine());
    }

    /** Begins the next key's turn; to be called on the lane. */
    void next() {
        Miss<K, V> next;
        synchronized (this) {
            next = lane.isOpen() ? line.pollFirst() : null; // a caller who has gone wants no more loads
            turn = next;
        }
        if (next == null) {
            return;
        }
        Request<K, V> request = next.request;
        request.itsTurn(this);
        request.result().whenComplete((answer, failure) -> {
            if (failure == null) {
                over(request.key);
            } else {
                stop(failure);
            }
        });
        request.missedBefore(next.known, next.storeFailed);
    }

    @Override
    public boolean takes(Flight<K, V> flight) {
        return false;
    }

    @Override
    public boolean letsGo(Flight<K, V> flight) {
        return false;
    }

    @Override
    public void goesWithout(Flight<K, V> flight) {
        over(flight.key);
    }

    @Override
    public void leadsNone(K key) {
        over(key);
    }

    private void over(K key) {
        synchronized (this) {
            if (turn == null || !turn.request.key.equals(key)) {
                return;
            }
            turn = null;
        }
        lane.afterLoader(this::next);
    }

    private void stop(Throwable failure) {
        Deque<Miss<K, V>> rest;
        synchronized (this) {
            rest = new ArrayDeque<>(line);
            line.clear();
        }
        rest.forEach(miss -> miss.request.fail(failure));
    }
}
