package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.CacheSettings.PrecomputeSettings;
import dev.corral.spi.Delays;
import dev.corral.spi.Reading;
import dev.corral.spi.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The background job of strategy external, in its minimal form. Every node looks at each key when it is due, or sooner
 * when the key is invalidated or a reader finds nothing; the key's lease elects the one that loads, and the entry's own
 * age, by the store's clock, tells the others that it has been done. A node that dies is replaced by whoever looks next,
 * at the latest when its lease ends.
 */
final class ScheduledRefresh<K, V> {
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(20);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);

    private final Engine<K, V> engine;
    private final long every;
    private final long lookAgain;
    private final long allowance;
    private final Map<K, Watch> watches = new ConcurrentHashMap<>();
    private volatile boolean closed;

    ScheduledRefresh(Engine<K, V> engine, PrecomputeSettings settings) {
        this.engine = engine;
        this.every = settings.every().toNanos();
        this.lookAgain = Math.min(LONGEST_LOOK.toNanos(), Math.max(SHORTEST_LOOK.toNanos(), every / 20));
        this.allowance = Math.max(every / 2, engine.settings.lease().toNanos());
    }

    void start(Set<K> keys) {
        keys.forEach(key -> watches.put(key, new Watch(key)));
        watches.values().forEach(watch -> watch.lookAfter(0));
    }

    void close() {
        closed = true;
        watches.values().forEach(Watch::stop);
    }

    Duration period() {
        return Duration.ofNanos(every);
    }

    boolean watches(K key) {
        return watches.containsKey(key);
    }

    /** The key may be gone: do not wait for the next period. */
    void lookNow(K key) {
        Watch watch = watches.get(key);
        if (watch != null) {
            watch.lookNow();
        }
    }

    void lookAtAllNow() {
        watches.values().forEach(Watch::lookNow);
    }

    /** One key, and when it is looked at next. */
    private final class Watch {
        private final K key;
        private final long since = engine.now();
        private Delays.@Nullable Timer timer;
        private long due;
        private boolean looking;
        private boolean again;
        private long lastSeen = since;
        private boolean overdue;

        Watch(K key) {
            this.key = key;
        }

        synchronized void lookAfter(long nanos) {
            looking = false;
            if (!closed) {
                long delay = again ? 0 : nanos;
                again = false;
                due = engine.now() + delay;
                timer = engine.platform.delays().after(delay, this::look);
            }
        }

        synchronized void lookNow() {
            if (looking) {
                again = true;
            } else if (timer != null && due - engine.now() > lookAgain) {
                timer.cancel();
                lookAfter(0);
            }
        }

        synchronized void stop() {
            if (timer != null) {
                timer.cancel();
            }
        }

        private void look() {
            synchronized (this) {
                looking = true;
            }
            guard(this::lookUp);
        }

        /** Whatever a user's hook or codec throws, the key is looked at again. */
        private void guard(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                engine.refreshRefused(key, String.valueOf(e));
                lookAfter(lookAgain);
            }
        }

        private void lookUp() {
            if (engine.bypassed()) {
                lookAfter(lookAgain);
            } else if (engine.usesStore(key)) {
                Stages.then(
                        engine.steps.read(key),
                        engine.platform.continuations(),
                        (reading, trouble) -> guard(() -> found(reading, trouble)));
            } else if (engine.near.exists()) {
                NearEntry<V> near = engine.near.find(key);
                decide(near == null ? Long.MAX_VALUE : engine.now() - near.entry.writtenAt(), null);
            } else {
                lookAfter(lookAgain); // a value could be kept nowhere
            }
        }

        private void found(@Nullable Reading reading, @Nullable StoreException trouble) {
            if (trouble != null) {
                lookAfter(lookAgain);
            } else if (reading instanceof Reading.Found found) {
                long written =
                        engine.steps.clock().earliestNanoTime(found.entry().writtenAt());
                Known known = new Known(found.entry().commitId(), found.entry().cost());
                decide(engine.now() - written, known);
            } else {
                decide(Long.MAX_VALUE, null);
            }
        }

        private void decide(long age, @Nullable Known known) {
            noteAge(age);
            if (age < every) {
                lookAfter(every - age);
            } else if (engine.notes.isQuiet(key, engine.now())
                    || !engine.refresh(key, known, fruitless -> lookAfter(lookAgain))) {
                lookAfter(lookAgain);
            }
        }

        /** Every node notes it, so that it shows when the node that should have loaded is gone, or the entry is. */
        private void noteAge(long age) {
            boolean missing = age == Long.MAX_VALUE;
            long now = engine.now();
            if (!missing) {
                lastSeen = now - age;
            }
            long late = now - lastSeen - every;
            boolean neverSeen = missing && lastSeen == since;
            boolean isLate = neverSeen ? now - since > allowance : late > allowance;
            if (isLate && !overdue) {
                engine.meters.overduePrecomputes.increment();
                engine.events.tell(
                        () -> new CacheEvent.PrecomputeOverdue(engine.name, key, Duration.ofNanos(Math.max(0, late))));
            }
            overdue = isLate;
        }
    }
}
