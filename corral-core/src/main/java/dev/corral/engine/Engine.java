package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.CacheSettings;
import dev.corral.CacheSettings.PrecomputeSettings;
import dev.corral.LoadFailedException;
import dev.corral.Loader;
import dev.corral.Source;
import dev.corral.Strategy.Who;
import dev.corral.spi.Cost;
import dev.corral.spi.Platform;
import dev.corral.spi.Region;
import dev.corral.spi.RegionSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One cache's rooms, and the small things that several of them need. */
final class Engine<K, V> {
    private static final Duration USUAL_LOAD = Duration.ofSeconds(1);
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);

    final String name;
    final CacheSettings settings;
    final Parts<K, V> parts;
    final Platform platform;
    final Meters meters = new Meters();
    final Events events;
    final Epochs epochs = new Epochs();
    final Freshness freshness;
    final NearTier<K, V> near;
    final KeyNotes<K> notes = new KeyNotes<>();
    final LocalFailures<K> failures = new LocalFailures<>();
    final Wakeups<K> wakeups = new Wakeups<>();
    final Values<K, V> values;
    final Flights<K, V> flights = new Flights<>(this);
    final Outbox<K> outbox;
    final Region<K> region;
    final Steps<K> steps;
    final @Nullable Loader<K, V> loader;
    final @Nullable ScheduledRefresh<K, V> job;
    final Outage<K, V> outage;
    private final boolean needsLease;
    private volatile boolean bypassed;
    private volatile Cost usual = Cost.UNKNOWN;

    Engine(CacheSettings settings, Parts<K, V> parts) {
        this.name = settings.name();
        this.settings = settings;
        this.parts = parts;
        this.platform = parts.platform();
        this.events = new Events(parts.listeners());
        this.freshness = new Freshness(settings);
        this.near = new NearTier<>(
                settings.near(), parts.weigher(), freshness, epochs, meters.nearHits, platform.continuations());
        this.values = new Values<>(settings, parts);
        this.outbox = new Outbox<>(platform.time());
        this.needsLease =
                settings.strategy().who() == Who.CLUSTER || settings.strategy().who() == Who.JOB;
        this.loader = parts.loader();
        RegionSettings<K> forRegion = new RegionSettings<>(
                name,
                parts.keyCodec(),
                settings.schemaVersion(),
                settings.maximumLoadTime().multipliedBy(2),
                settings.storeTimeout());
        Announcements<K, V> announcements = new Announcements<>(this);
        this.region = parts.store().open(forRegion, announcements);
        this.steps = new Steps<>(name, region, parts.store().breaker(), meters, events);
        this.outage = new Outage<>(this);
        PrecomputeSettings precompute = settings.precompute();
        this.job = precompute == null ? null : new ScheduledRefresh<>(this, precompute);
        parts.store().breaker().listen(outage);
    }

    long now() {
        return platform.time().nanoTime();
    }

    boolean needsLease() {
        return needsLease;
    }

    /** True if callers of one key join one flight; background flights are shared always. */
    boolean sharesFlights() {
        return settings.strategy().who() != Who.EVERYBODY;
    }

    // ---- the switch

    boolean bypassed() {
        return bypassed;
    }

    void bypass(boolean on) {
        bypassed = on;
        epochs.raiseAll(); // what was read or begun on the other side of the switch fills nothing
        near.clear(); // after that, or a fill in between would stay
        flights.detachAll();
    }

    /** True if this key is looked for in the store, and its lease asked for there. */
    boolean usesStore(K key) {
        return !bypassed && steps.available() && !outbox.holds(key);
    }

    // ---- background work

    /** Begins a background flight unless one is under way or the store has just refused one. */
    void refreshInBackground(K key, @Nullable Known known, @Nullable Loader<? super K, ? extends V> by) {
        Loader<? super K, ? extends V> with = by == null ? loader : by;
        if (with != null && !bypassed && !notes.isQuiet(key, now())) {
            flights.refresh(key, known, with, fruitless -> {});
        }
    }

    /** Begins a background flight with the cache's own loader; false if one is under way or there is no loader. */
    boolean refresh(K key, @Nullable Known known, Consumer<Boolean> onEnd) {
        Loader<K, V> own = loader;
        return own != null && flights.refresh(key, known, own, onEnd);
    }

    /** The source changed while the value was being loaded. If no other can be had, none is better than that one. */
    void loadAgain(K key, Known dirty) {
        near.remove(key);
        notes.renewed(key);
        boolean began = refresh(key, dirty, fruitless -> {
            if (fruitless) {
                drop(key);
            }
        });
        if (!began) {
            drop(key);
        }
    }

    private void drop(K key) {
        epochs.raise(key);
        near.remove(key);
        dropLater(key);
    }

    /** Has the key invalidated in the store, as soon as it is there. */
    void dropLater(K key) {
        outbox.add(List.of(key));
        outage.replay();
    }

    /** The lane if loaders may run on it: with a soft or hard timeout only those of a caller that is a loader itself. */
    @Nullable
    CallerLane laneForLoader(Executor lane) {
        if (!(lane instanceof CallerLane caller)) {
            return null;
        }
        return settings.loadsOnExecutor() && caller.context() == null ? null : caller;
    }

    /** No thread or no permit for a background load: this node leaves the key alone for a moment. */
    void refreshRefused(K key, String why) {
        meters.refreshesRefused.increment();
        notes.quietUntil(key, now() + REFUSED_PAUSE.toNanos());
        events.tell(() -> new CacheEvent.RefreshRefused(name, key, why));
    }

    void lookNow(K key) {
        if (job != null) {
            job.lookNow(key);
        }
    }

    void lookAtAllNow() {
        if (job != null) {
            job.lookAtAllNow();
        }
    }

    // ---- what rooms report

    void served(K key, Source source, boolean fresh) {
        if (!fresh) {
            meters.staleServed.increment();
        } else if (source == Source.NEAR) {
            near.served(key);
        } else if (source == Source.STORE) {
            meters.storeHits.increment();
        }
    }

    void loaded(K key, long costNanos) {
        usual = usual.next(Math.max(1, costNanos));
        events.tell(() -> new CacheEvent.Loaded(name, key, Duration.ofNanos(costNanos)));
    }

    void leaseLost(K key) {
        meters.leasesLost.increment();
        events.tell(() -> new CacheEvent.LeaseLost(name, key));
    }

    void commitRejected(K key) {
        meters.commitsRejected.increment();
        events.tell(() -> new CacheEvent.CommitRejected(name, key));
    }

    void unreadable(K key) {
        meters.unreadable.increment();
        events.tell(() -> new CacheEvent.EntryUnreadable(name, key));
    }

    // ---- small decisions

    /** Exponential, from the first back-off to the longest. */
    Duration backOffAfter(int failuresBefore) {
        long longest = settings.maximumBackOff().toNanos();
        long first = settings.backOff().toNanos();
        int doublings = Math.min(failuresBefore, 40);
        return Duration.ofNanos(first > longest >> doublings ? longest : first << doublings);
    }

    /** A reader has found nothing and does not wait: when asking again makes sense. */
    Duration pending(K key) {
        ScheduledRefresh<K, V> background = job;
        if (background != null && !background.watches(key)) {
            return background.period(); // nobody knows when, if ever; somebody may put it
        }
        if (background != null) {
            background.lookNow(key);
        }
        return retryAfter(key);
    }

    /** After a usual load, or after the back-off. */
    private Duration retryAfter(K key) {
        LocalFailures.Failure failure = failures.live(key, now());
        if (failure != null) {
            return Duration.ofNanos(Math.max(1, failure.until() - now()));
        }
        Cost known = usual;
        return known.smoothedNanos() == 0 ? USUAL_LOAD : Duration.ofNanos(known.smoothedNanos());
    }

    /** Unchecked exceptions pass through; checked ones are wrapped. */
    Throwable forCallers(K key, Throwable cause) {
        if (cause instanceof RuntimeException || cause instanceof Error) {
            return cause;
        }
        return new LoadFailedException("Cache " + name + ": loading key " + key + " failed: " + cause, cause);
    }
}
