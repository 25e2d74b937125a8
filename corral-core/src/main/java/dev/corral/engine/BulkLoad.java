package dev.corral.engine;

import dev.corral.BulkLoader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of the bulk loader for all those keys of a {@code getAll} whose lease this node won. It begins when every
 * flight has said whether it takes part; a flight that has to wait for somebody else goes without, so that nobody's
 * value waits for a stranger's load.
 */
final class BulkLoad<K, V> implements Together<K, V>, Load.End<Map<K, V>> {
    private final Load<Map<K, V>> load;
    private final Set<K> heardOf = new HashSet<>();
    private final Map<K, Flight<K, V>> members = new LinkedHashMap<>();
    private int expected;
    private boolean begun;

    BulkLoad(Engine<K, V> engine, BulkLoader<K, V> loader, CallerLane lane, int expected) {
        this.expected = expected;
        this.load = new Load<>(engine, this::keys, engine.laneForLoader(lane), () -> loadAll(loader), this);
    }

    private synchronized Set<K> keys() {
        return new LinkedHashSet<>(members.keySet());
    }

    /** Takes the values out of the user's map here, where what that throws is a failure of the load. */
    private Map<K, V> loadAll(BulkLoader<K, V> loader) throws Exception {
        Set<K> keys = keys();
        if (keys.isEmpty()) {
            return Map.of(); // they have gone just when it began
        }
        Map<K, V> loaded = loader.loadAll(keys);
        if (loaded == null) {
            throw new NullPointerException("the bulk loader returned null instead of a map");
        }
        Map<K, V> values = new HashMap<>();
        for (K key : keys) {
            values.put(key, loaded.get(key));
        }
        return values;
    }

    @Override
    public boolean takes(Flight<K, V> flight) {
        synchronized (this) {
            if (begun || !heardOf.add(flight.key)) {
                return false;
            }
            members.put(flight.key, flight);
        }
        oneLess();
        return true;
    }

    @Override
    public synchronized boolean letsGo(Flight<K, V> flight) {
        if ((begun && !load.isQueued()) || !members.remove(flight.key, flight)) {
            return false;
        }
        withdrawIfEmpty();
        return true;
    }

    private synchronized void withdrawIfEmpty() {
        if (members.isEmpty()) {
            load.withdraw();
        }
    }

    @Override
    public void goesWithout(Flight<K, V> flight) {
        notHeardOf(flight.key);
    }

    @Override
    public void leadsNone(K key) {
        notHeardOf(key);
    }

    private void notHeardOf(K key) {
        synchronized (this) {
            if (begun || !heardOf.add(key)) {
                return;
            }
        }
        oneLess();
    }

    private void oneLess() {
        boolean nobody;
        synchronized (this) {
            if (--expected > 0) {
                return;
            }
            nobody = members.isEmpty();
        }
        if (nobody) {
            load.giveUp();
        } else {
            load.start(true);
            withdrawIfEmpty(); // they may have gone between the last lease and the queue
        }
    }

    /** If the permit has been long in coming the leases may have lapsed: each key asks again. */
    @Override
    public boolean permitted(boolean waited) {
        List<Flight<K, V>> all;
        synchronized (this) {
            all = List.copyOf(members.values());
            begun = !all.isEmpty() && (!waited || all.stream().noneMatch(Flight::mustAskAgain));
            if (begun) {
                all.forEach(Flight::keepLease);
                return true;
            }
            heardOf.removeAll(members.keySet()); // those that went without stay without
            members.clear();
            expected = all.size();
        }
        if (all.isEmpty()) {
            load.giveUp(); // they have gone just when the permit came
        }
        all.forEach(Flight::askAgain);
        return false;
    }

    @Override
    public void began(boolean onCallersThread) {
        each(flight -> flight.landing.began(onCallersThread));
    }

    @Override
    public void rejected(String why, @Nullable Throwable cause) {
        each(flight -> flight.landing.rejected(why, cause));
    }

    @Override
    public void overdue() {
        each(flight -> flight.landing.overdue());
    }

    @Override
    public void ended(@Nullable Map<K, V> values, long costNanos) {
        Map<K, V> found = values == null ? Map.of() : values;
        each(flight -> flight.landing.ended(found.get(flight.key), costNanos));
    }

    @Override
    public void failed(Throwable cause, long costNanos) {
        each(flight -> flight.landing.failed(cause, costNanos));
    }

    private void each(Consumer<Flight<K, V>> action) {
        List<Flight<K, V>> all;
        synchronized (this) {
            begun = true;
            all = List.copyOf(members.values());
        }
        all.forEach(flight -> flight.guard(() -> action.accept(flight)));
    }
}
