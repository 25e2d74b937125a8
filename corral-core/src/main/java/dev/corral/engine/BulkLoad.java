package dev.corral.engine;

import dev.corral.BulkLoader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call of the bulk loader for all those keys of a {@code getAll} whose lease this node won. It begins when every
 * flight has said whether it takes part; a flight that has to wait for somebody else goes without, so that nobody's
 * value waits for a stranger's load.
 */
final class BulkLoad<K, V> implements Load.End<Map<K, V>> {
    private final Engine<K, V> engine;
    private final BulkLoader<K, V> loader;
    private final Executor lane;
    private final Set<Flight<K, V>> heardOf = new HashSet<>();
    private final Map<K, Flight<K, V>> members = new LinkedHashMap<>();
    private int expected;

    BulkLoad(Engine<K, V> engine, BulkLoader<K, V> loader, Executor lane, int expected) {
        this.engine = engine;
        this.loader = loader;
        this.lane = lane;
        this.expected = expected;
    }

    /** The flight has its lease; false if it comes too late to take part and loads alone. */
    boolean takes(Flight<K, V> flight) {
        synchronized (this) {
            if (!heardOf.add(flight)) {
                return false;
            }
            members.put(flight.key(), flight);
        }
        oneLess();
        return true;
    }

    /** The flight has its answer, or has to wait. */
    void goesWithout(Flight<K, V> flight) {
        synchronized (this) {
            if (!heardOf.add(flight)) {
                return;
            }
        }
        oneLess();
    }

    /** One flight less to hear of. */
    void oneLess() {
        boolean complete;
        synchronized (this) {
            expected--;
            complete = expected == 0 && !members.isEmpty();
        }
        if (complete) {
            Set<K> keys = Set.copyOf(members.keySet());
            new Load<>(engine, keys, lane, () -> loader.loadAll(keys), this).start(true);
        }
    }

    @Override
    public void began() {
        members.values().forEach(Flight::began);
    }

    @Override
    public void rejected(String why, @Nullable Throwable cause) {
        members.values().forEach(flight -> flight.rejected(why, cause));
    }

    @Override
    public void overdue() {
        members.values().forEach(Flight::overdue);
    }

    @Override
    public void ended(@Nullable Map<K, V> values, long costNanos) {
        if (values == null) {
            failed(new NullPointerException("the bulk loader returned null instead of a map"), costNanos);
            return;
        }
        members.forEach((key, flight) -> flight.ended(values.get(key), costNanos));
    }

    @Override
    public void failed(Throwable cause, long costNanos) {
        members.values().forEach(flight -> flight.failed(cause, costNanos));
    }
}
