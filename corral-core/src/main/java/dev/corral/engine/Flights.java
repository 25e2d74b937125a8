package dev.corral.engine;

import dev.corral.Loader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The flights of this process: at most one per key that can still be joined. */
final class Flights<K, V> {
    private final Engine<K, V> engine;
    private final ConcurrentHashMap<K, Flight<K, V>> flights = new ConcurrentHashMap<>();

    Flights(Engine<K, V> engine) {
        this.engine = engine;
    }

    /**
     * Takes the request in as a follower of the key's flight, or of a new one that it leads.
     *
     * @param known an entry that will not do, or null
     * @param withoutStore true if the store has just failed this request
     * @param together the batch that the request is part of, or null
     */
    void joinOrLead(
            Request<K, V> request,
            Loader<? super K, ? extends V> loader,
            @Nullable Known known,
            boolean withoutStore,
            @Nullable Together<K, V> together) {
        while (true) {
            Flight<K, V> current = flights.get(request.key);
            if (current != null) {
                if (current.join(request)) {
                    engine.meters.joined.increment();
                    if (together != null) {
                        together.leadsNone(request.key);
                    }
                    return;
                }
                flights.remove(request.key, current);
                continue;
            }
            Flight<K, V> fresh =
                    new Flight<>(engine, request.key, loader, request.lane, false, known, withoutStore, together);
            fresh.join(request);
            if (add(request.key, fresh)) {
                fresh.start();
                return;
            }
        }
    }

    /** A flight of this request's own, that nobody else joins. */
    void leadAlone(
            Request<K, V> request,
            Loader<? super K, ? extends V> loader,
            @Nullable Known known,
            boolean withoutStore,
            @Nullable Together<K, V> together) {
        Flight<K, V> own =
                new Flight<>(engine, request.key, loader, request.lane, false, known, withoutStore, together);
        own.join(request);
        own.start();
    }

    /**
     * Starts a background flight unless one is under way; true if it did.
     *
     * @param onEnd hears of the end, and whether it came without a new value
     */
    boolean refresh(K key, @Nullable Known known, Loader<? super K, ? extends V> loader, Consumer<Boolean> onEnd) {
        if (flights.containsKey(key)) {
            return false;
        }
        Flight<K, V> flight =
                new Flight<>(engine, key, loader, engine.platform.continuations(), true, known, false, null);
        flight.onEnd(onEnd);
        if (!add(key, flight)) {
            return false;
        }
        engine.meters.refreshes.increment();
        flight.start();
        return true;
    }

    /** True if this is the key's flight, the one that is joined. */
    boolean has(K key, Flight<K, V> flight) {
        return flights.get(key) == flight;
    }

    /** Makes this the key's flight, unless there is another. */
    boolean add(K key, Flight<K, V> flight) {
        Flight<K, V> before = flights.putIfAbsent(key, flight);
        return before == null || before == flight;
    }

    /** From now on nobody joins the key's flight; those in it stay. */
    void detach(K key) {
        flights.remove(key);
    }

    void detachAll() {
        flights.clear();
    }

    void remove(K key, Flight<K, V> flight) {
        flights.remove(key, flight);
    }
}
