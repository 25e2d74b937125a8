package dev.corral;

import dev.corral.CacheSettings.NearSettings;
import dev.corral.CacheSettings.PrecomputeSettings;
import dev.corral.CacheSettings.RollOut;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.When;
import dev.corral.Strategy.Who;
import dev.corral.engine.CacheFactory;
import dev.corral.engine.KeyCodecs;
import dev.corral.engine.Parts;
import dev.corral.memory.MemoryStore;
import dev.corral.spi.Platform;
import dev.corral.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a {@link Cache}. Only {@link #expireAfterWrite} must be set; {@code docs/defaults.md} lists what the other
 * options are by default. As in Caffeine, the types of keys and values settle with the first option or the loader that
 * mentions them.
 *
 * @param <K> the most general type of keys this builder can build a cache for
 * @param <V> the most general type of values
 */
public final class CacheBuilder<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Corral.class);
    static final int DEFAULT_PERMITS = 16;
    private static final Duration MOST_ABSENT = Duration.ofSeconds(30);

    private final String name;
    private final List<Consumer<? super CacheEvent>> listeners = new ArrayList<>();
    private Strategy strategy = Strategy.early();
    private @Nullable Duration expireAfterWrite;
    private double jitter = 0.1;
    private @Nullable Duration absentAfterWrite;
    private EarlyRefresh early = EarlyRefresh.adaptive();
    private Duration staleWhileRefreshing = Duration.ZERO;
    private Duration staleOnError = Duration.ZERO;
    private Duration waitTimeout = Duration.ofSeconds(10);
    private @Nullable Duration softTimeout;
    private @Nullable Duration hardTimeout;
    private Duration maximumLoadTime = Duration.ofSeconds(60);
    private Duration lease = Duration.ofSeconds(2);
    private Duration pollInterval = Duration.ofMillis(250);
    private Duration nestedWait = Duration.ofSeconds(1);
    private Duration backOff = Duration.ofSeconds(1);
    private Duration maximumBackOff = Duration.ofSeconds(30);
    private Duration storeTimeout = Duration.ofSeconds(1);
    private int schemaVersion = 1;
    private @Nullable Near near;
    private @Nullable Precompute precompute;
    private @Nullable RollOut rollOut;
    private @Nullable Loader<Object, Object> oldPath;
    private @Nullable LoadLimiter limiter;
    private @Nullable Store store;
    private @Nullable KeyCodec<Object> keyCodec;
    private @Nullable Codec<Object> codec;
    private @Nullable BiFunction<Object, Object, Duration> expiry;
    private @Nullable BulkLoader<Object, Object> bulkLoader;
    private UnaryOperator<Runnable> context = task -> task;
    private Platform platform = Platform.system();

    CacheBuilder(String name) {
        this.name = name;
    }

    /** All three axes at once; {@link Strategy#early()} by default. */
    public CacheBuilder<K, V> strategy(Strategy strategy) {
        this.strategy = strategy;
        return this;
    }

    /** When a value is regenerated; the other axes stay. */
    public CacheBuilder<K, V> when(When when) {
        this.strategy = new Strategy(when, strategy.who(), strategy.meanwhile());
        return this;
    }

    /** Who may regenerate it; the other axes stay. */
    public CacheBuilder<K, V> who(Who who) {
        this.strategy = new Strategy(strategy.when(), who, strategy.meanwhile());
        return this;
    }

    /** What the others get meanwhile; the other axes stay. */
    public CacheBuilder<K, V> meanwhile(Meanwhile meanwhile) {
        this.strategy = new Strategy(strategy.when(), strategy.who(), meanwhile);
        return this;
    }

    /** The time to live. Must be set. Nothing older is served unless a stale window is set. */
    public CacheBuilder<K, V> expireAfterWrite(Duration ttl) {
        this.expireAfterWrite = ttl;
        return this;
    }

    /**
     * A time to live for each entry; jitter applies to it too. Values that would get one of zero or less are handed to
     * the caller and not stored.
     */
    @SuppressWarnings("unchecked")
    public <K1 extends K, V1 extends V> CacheBuilder<K1, V1> expireAfter(
            BiFunction<? super K1, ? super V1, Duration> expiry) {
        this.expiry = (BiFunction<Object, Object, Duration>) expiry;
        return (CacheBuilder<K1, V1>) this;
    }

    /** By what share, at most, chance shortens each time to live, so that keys written together expire apart. */
    public CacheBuilder<K, V> jitter(double share) {
        this.jitter = share;
        return this;
    }

    /** The time to live of keys whose loader returned null. By default that of values, at most 30 seconds. */
    public CacheBuilder<K, V> expireAbsentAfterWrite(Duration ttl) {
        this.absentAfterWrite = ttl;
        return this;
    }

    /** Does not remember that a key has no value: each read loads. */
    public CacheBuilder<K, V> doNotCacheAbsent() {
        return expireAbsentAfterWrite(Duration.ZERO);
    }

    /** When an early refresh is due; {@link EarlyRefresh#adaptive()} by default. */
    public CacheBuilder<K, V> earlyRefresh(EarlyRefresh policy) {
        this.early = policy;
        return this;
    }

    /** Serves the previous value up to that long past its expiry while another is being loaded. */
    public CacheBuilder<K, V> serveStaleWhileRefreshing(Duration window) {
        this.staleWhileRefreshing = window;
        return this;
    }

    /** Serves the previous value up to that long past its expiry when loading fails or cannot be had in time. */
    public CacheBuilder<K, V> serveStaleOnError(Duration window) {
        this.staleOnError = window;
        return this;
    }

    /** How long a caller waits for somebody else's load. */
    public CacheBuilder<K, V> waitTimeout(Duration timeout) {
        this.waitTimeout = timeout;
        return this;
    }

    /** After that time a caller gets the stale value, if a window allows it; the load goes on and fills the cache. */
    public CacheBuilder<K, V> softTimeout(Duration timeout) {
        this.softTimeout = timeout;
        return this;
    }

    /** After that time a caller gets {@link LoadTimeoutException}; the load goes on and fills the cache. */
    public CacheBuilder<K, V> hardTimeout(Duration timeout) {
        this.hardTimeout = timeout;
        return this;
    }

    /** After that time a load is interrupted and loses its protection: another may begin. */
    public CacheBuilder<K, V> maximumLoadTime(Duration time) {
        this.maximumLoadTime = time;
        return this;
    }

    /** How long a lease lasts unless renewed; a dead leader is noticed after that time. */
    public CacheBuilder<K, V> lease(Duration lease) {
        this.lease = lease;
        return this;
    }

    /** How often a waiter asks the store in case an announcement was lost. */
    public CacheBuilder<K, V> pollInterval(Duration interval) {
        this.pollInterval = interval;
        return this;
    }

    /** How long a loader that reads a cache waits there for somebody else's load; then it loads without storing. */
    public CacheBuilder<K, V> nestedWait(Duration wait) {
        this.nestedWait = wait;
        return this;
    }

    /** How long nobody in the cluster loads a key after a failure; doubles with each further one up to the maximum. */
    public CacheBuilder<K, V> backOff(Duration first, Duration maximum) {
        this.backOff = first;
        this.maximumBackOff = maximum;
        return this;
    }

    /** How long a step of the store may take before it counts as failed. */
    public CacheBuilder<K, V> storeTimeout(Duration timeout) {
        this.storeTimeout = timeout;
        return this;
    }

    /** The version of the values' form: two versions of the application do not read each other's entries. */
    public CacheBuilder<K, V> schemaVersion(int version) {
        this.schemaVersion = version;
        return this;
    }

    /** Adds a near tier in this process. Without it every hit is a round trip to the store. */
    public <K1 extends K, V1 extends V> CacheBuilder<K1, V1> near(Consumer<Near> settings) {
        Near chosen = new Near();
        settings.accept(chosen);
        this.near = chosen;
        return narrow();
    }

    /** What the background job of strategy external regenerates, and how often. */
    public CacheBuilder<K, V> precompute(Consumer<Precompute> settings) {
        Precompute chosen = new Precompute();
        settings.accept(chosen);
        this.precompute = chosen;
        return this;
    }

    /**
     * Moves keys onto this cache little by little, so that introducing it over an existing one is not a cold stampede:
     * a share of the keys that grows from none at the start to all at the end is served from here, the others by the
     * old path. All nodes must be given the same start.
     *
     * @param oldPath reads what was there before: the old cache in front of the old query
     */
    @SuppressWarnings("unchecked")
    public <K1 extends K, V1 extends V> CacheBuilder<K1, V1> rollOut(
            Instant start, Duration over, Loader<? super K1, ? extends V1> oldPath) {
        this.rollOut = new RollOut(start.toEpochMilli(), over);
        this.oldPath = (Loader<Object, Object>) (Loader<?, ?>) oldPath;
        return narrow();
    }

    /** How many loads may run at once; one limiter may serve the caches of one database. By default 16 per cache. */
    public CacheBuilder<K, V> limit(LoadLimiter limiter) {
        this.limiter = limiter;
        return this;
    }

    /** The shared tier; by default a {@link MemoryStore} of this cache's own. */
    public CacheBuilder<K, V> store(Store store) {
        this.store = store;
        return this;
    }

    /** How keys become bytes; text, numbers, UUIDs and enums need none. */
    @SuppressWarnings("unchecked")
    public <K1 extends K> CacheBuilder<K1, V> keyCodec(KeyCodec<K1> codec) {
        this.keyCodec = (KeyCodec<Object>) codec;
        return (CacheBuilder<K1, V>) this;
    }

    /** The keys' type: fails now, not at the first read, if it needs a {@link #keyCodec}. */
    public <K1 extends K> CacheBuilder<K1, V> keyType(Class<K1> type) {
        return keyCodec(KeyCodec.of(type));
    }

    /** How values become bytes; needed by every store outside the process. */
    @SuppressWarnings("unchecked")
    public <V1 extends V> CacheBuilder<K, V1> codec(Codec<V1> codec) {
        this.codec = (Codec<Object>) codec;
        return (CacheBuilder<K, V1>) this;
    }

    /** Loads many keys at once for {@link Cache#getAll}; without it they are loaded one by one. */
    @SuppressWarnings("unchecked")
    public <K1 extends K, V1 extends V> CacheBuilder<K1, V1> bulkLoader(BulkLoader<K1, V1> loader) {
        this.bulkLoader = (BulkLoader<Object, Object>) loader;
        return (CacheBuilder<K1, V1>) this;
    }

    /**
     * Hears of everything that happens, on the thread on which it does, which may be the store's: it must be quick and
     * must not wait for this or another cache. Called without a lock held; its exceptions are logged and forgotten.
     */
    public CacheBuilder<K, V> onEvent(Consumer<? super CacheEvent> listener) {
        listeners.add(listener);
        return this;
    }

    /** Hears of one kind of event. */
    public <E extends CacheEvent> CacheBuilder<K, V> on(Class<E> kind, Consumer<? super E> listener) {
        return onEvent(event -> {
            if (kind.isInstance(event)) {
                listener.accept(kind.cast(event));
            }
        });
    }

    /** Where the loaders of background and asynchronous loads run; by default daemon threads of Corral's own. */
    public CacheBuilder<K, V> executor(Executor executor) {
        this.platform = platform.withExecutor(executor);
        return this;
    }

    /**
     * Carries the calling thread's context (tenant, tracing, security) over to loads that run on the executor: called
     * on the thread whose read begins the load, and what it returns runs in the task's stead.
     */
    public CacheBuilder<K, V> context(UnaryOperator<Runnable> capture) {
        this.context = capture;
        return this;
    }

    /** Replaces time, randomness, delays and threads, for tests and simulators. Replaces the executor too. */
    public CacheBuilder<K, V> platform(Platform platform) {
        this.platform = platform;
        return this;
    }

    /**
     * Builds a cache whose {@link Cache#get(Object)} loads with this loader.
     *
     * @throws IllegalArgumentException if a setting is wrong; the message names it and what it got
     */
    @SuppressWarnings("unchecked")
    public <K1 extends K, V1 extends V> Cache<K1, V1> build(Loader<? super K1, ? extends V1> loader) {
        return create((Loader<K1, V1>) loader);
    }

    /** Builds a cache without a loader: reads that load must bring one, unless there is a {@link #bulkLoader}. */
    public <K1 extends K, V1 extends V> Cache<K1, V1> build() {
        Check.that(strategy.who() != Who.JOB, "build", "needs a loader for the background job; who is", strategy.who());
        return create(null);
    }

    @SuppressWarnings("unchecked")
    private <K1 extends K, V1 extends V> Cache<K1, V1> create(@Nullable Loader<K1, V1> loader) {
        CacheSettings settings = settings();
        if (settings.isBareTtl() || strategy.who() == Who.EVERYBODY) {
            LOG.warn(
                    "Cache {} expires with nothing to soften it (when {}, who {}): at each expiry of a hot key {}. "
                            + "Write strategy(Strategy.early()), or add serveStaleWhileRefreshing(...).",
                    name,
                    strategy.when(),
                    strategy.who(),
                    strategy.who() == Who.EVERYBODY
                            ? "every caller runs the loader"
                            : "every caller waits for the load");
        }
        Store chosen = store == null ? MemoryStore.on(platform) : store;
        Check.that(
                chosen.keepsReferences() || codec != null,
                "codec",
                "must be set for a store outside the process, such as codec(JsonCodec.of(Product.class)); the store is",
                chosen);
        LoadLimiter permits = limiter;
        if (permits == null) {
            permits = strategy.who() == Who.EVERYBODY ? LoadLimiter.unlimited() : LoadLimiter.of(DEFAULT_PERMITS);
        }
        BulkLoader<K1, V1> bulk = (BulkLoader<K1, V1>) (BulkLoader<?, ?>) bulkLoader;
        Parts<K1, V1> parts = new Parts<>(
                platform,
                chosen,
                keyCodec == null ? KeyCodecs.byFirstKey(name) : (KeyCodec<K1>) (KeyCodec<?>) keyCodec,
                (Codec<V1>) codec,
                loader == null && bulk != null
                        ? key -> bulk.loadAll(Set.of(key)).get(key)
                        : loader,
                bulk,
                (Loader<K1, V1>) (Loader<?, ?>) oldPath,
                (BiFunction<K1, V1, Duration>) (BiFunction<?, ?, ?>) expiry,
                near == null ? null : (ToIntBiFunction<K1, V1>) (ToIntBiFunction<?, ?>) near.weigher,
                precompute == null
                        ? Set.of()
                        : (Set<K1>) Collections.unmodifiableSet(new LinkedHashSet<>(precompute.keys)),
                permits.permits,
                context,
                List.copyOf(listeners));
        return CacheFactory.create(settings, parts);
    }

    CacheSettings settings() {
        Duration ttl = expireAfterWrite;
        if (ttl == null) {
            throw new IllegalArgumentException("expireAfterWrite must be set, got nothing (cache " + name + ")");
        }
        Duration absent = absentAfterWrite;
        if (absent == null) {
            absent = ttl.compareTo(MOST_ABSENT) < 0 ? ttl : MOST_ABSENT;
        }
        return new CacheSettings(
                name,
                strategy,
                ttl,
                jitter,
                absent,
                early,
                staleWhileRefreshing,
                staleOnError,
                waitTimeout,
                softTimeout,
                hardTimeout,
                maximumLoadTime,
                lease,
                pollInterval,
                nestedWait,
                backOff,
                maximumBackOff,
                storeTimeout,
                schemaVersion,
                near == null ? null : new NearSettings(near.maximumSize, near.maximumWeight, near.expireAfter),
                precompute == null ? null : new PrecomputeSettings(precompute.period(ttl)),
                rollOut);
    }

    @SuppressWarnings("unchecked")
    private <K1 extends K, V1 extends V> CacheBuilder<K1, V1> narrow() {
        return (CacheBuilder<K1, V1>) this;
    }

    /** The near tier's options. */
    public static final class Near {
        private long maximumSize = -1;
        private long maximumWeight = -1;
        private @Nullable ToIntBiFunction<Object, Object> weigher;
        private Duration expireAfter = Duration.ofSeconds(5);

        private Near() {}

        /** How many entries it holds at most. */
        public Near maximumSize(long entries) {
            Check.that(entries >= 0, "near.maximumSize", "must not be negative", entries);
            this.maximumSize = entries;
            return this;
        }

        /**
         * How much its entries weigh together at most.
         *
         * @param weigher an entry's weight, not negative; a key known absent weighs 1
         */
        @SuppressWarnings("unchecked")
        public <K, V> Near maximumWeight(long weight, ToIntBiFunction<? super K, ? super V> weigher) {
            Check.that(weight >= 0, "near.maximumWeight", "must not be negative", weight);
            this.maximumWeight = weight;
            this.weigher = (ToIntBiFunction<Object, Object>) weigher;
            return this;
        }

        /**
         * How long an entry serves at most before it is read from the store again: the longest that this node may miss
         * another node's invalidation when announcements are lost. 5 seconds by default.
         */
        public Near expireAfter(Duration ttl) {
            this.expireAfter = ttl;
            return this;
        }
    }

    /** The background job's options. */
    public static final class Precompute {
        private final List<Object> keys = new ArrayList<>();
        private @Nullable Duration every;

        private Precompute() {}

        /** The keys to keep ready. */
        public Precompute keys(Object... keys) {
            this.keys.addAll(List.of(keys));
            return this;
        }

        /** How long after its last write a key is regenerated. By default half its time to live. */
        public Precompute every(Duration period) {
            this.every = period;
            return this;
        }

        private Duration period(Duration ttl) {
            Check.that(!keys.isEmpty(), "precompute.keys", "must name at least one key", keys);
            return every == null ? ttl.dividedBy(2) : every;
        }
    }
}
