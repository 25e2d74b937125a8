package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.CacheSettings.PrecomputeSettings;
import dev.corral.spi.Delays;
import dev.corral.spi.Reading;
import dev.corral.spi.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The background job of strategy external, in its minimal form. Every node looks at each key when it is due; the key's
 * lease elects the one that loads, and the entry's own age, by the store's clock, tells the others that it has been
 * done. A node that dies is replaced by whoever looks next, at the latest when its lease ends.
 */
final class ScheduledRefresh<K, V> {
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(20);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    private final Engine<K, V> engine;
    private final long every;
    private final long lookAgain;
    private final long allowance;
    private final Set<K> overdue = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<K, Delays.Timer> timers = new ConcurrentHashMap<>();
    private volatile boolean closed;

    ScheduledRefresh(Engine<K, V> engine, PrecomputeSettings settings) {
        this.engine = engine;
        this.every = settings.every().toNanos();
        this.lookAgain = Math.min(LONGEST_LOOK.toNanos(), Math.max(SHORTEST_LOOK.toNanos(), every / 20));
        this.allowance = Math.max(every / 2, engine.settings.lease().toNanos());
    }

    void start(Set<K> keys) {
        keys.forEach(key -> lookAfter(key, 0));
    }

    void close() {
        closed = true;
        timers.values().forEach(Delays.Timer::cancel);
    }

    private void lookAfter(K key, long nanos) {
        if (!closed) {
            timers.put(key, engine.platform.delays().after(nanos, () -> look(key)));
        }
    }

    private void look(K key) {
        if (engine.bypassed()) {
            lookAfter(key, lookAgain);
        } else if (engine.usesStore(key)) {
            Stages.then(engine.steps.read(key), Runnable::run, (reading, trouble) -> found(key, reading, trouble));
        } else if (engine.near.exists()) {
            NearEntry<V> near = engine.near.find(key);
            decide(key, near == null ? Long.MAX_VALUE : engine.now() - near.entry.writtenAt(), null);
        } else {
            lookAfter(key, lookAgain); // a value could be kept nowhere
        }
    }

    private void found(K key, @Nullable Reading reading, @Nullable StoreException trouble) {
        if (trouble != null) {
            lookAfter(key, lookAgain);
        } else if (reading instanceof Reading.Found found) {
            long written = engine.steps.clock().earliestNanoTime(found.entry().writtenAt());
            Known known = new Known(found.entry().commitId(), found.entry().cost());
            decide(key, engine.now() - written, known);
        } else {
            decide(key, Long.MAX_VALUE, null);
        }
    }

    private void decide(K key, long age, @Nullable Known known) {
        watch(key, age);
        if (age < every) {
            lookAfter(key, every - age);
        } else if (!engine.notes.isQuiet(key, engine.now())) {
            boolean began = engine.flights.refresh(key, known, engine.loader, () -> lookAfter(key, lookAgain));
            if (!began) {
                lookAfter(key, lookAgain);
            }
        } else {
            lookAfter(key, lookAgain);
        }
    }

    /** Every node watches, so that it shows when the node that should have loaded is gone. */
    private void watch(K key, long age) {
        boolean late = age != Long.MAX_VALUE && age > every + allowance;
        if (!late) {
            overdue.remove(key);
        } else if (overdue.add(key)) {
            engine.meters.overduePrecomputes.increment();
            engine.events.tell(() -> new CacheEvent.PrecomputeOverdue(engine.name, key, Duration.ofNanos(age - every)));
        }
    }
}
