package dev.corral;

import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.When;
import dev.corral.Strategy.Who;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a cache, checked: a record that exists cannot be wrong. {@code docs/defaults.md} lists the defaults.
 *
 * @param name the cache's name, shared by all nodes
 * @param strategy when, who, meanwhile
 * @param expireAfterWrite time to live, from write to soft expiry
 * @param jitter by what share, at most, chance shortens each time to live
 * @param absentAfterWrite time to live of known-absent keys; zero does not cache them
 * @param early the early refresh policy
 * @param staleWhileRefreshing how long past soft expiry a value is served while another is loaded
 * @param staleOnError how long past soft expiry a value is served when loading fails, or cannot be had in time
 * @param waitTimeout how long a caller waits for somebody else's load
 * @param softTimeout after what time a caller gets the stale value although the load goes on; null is never
 * @param hardTimeout after what time a caller fails although the load goes on; null is never
 * @param maximumLoadTime how long a load is protected; then it is interrupted
 * @param lease how long a lease lasts unless renewed, which happens every third of it
 * @param pollInterval how often a waiter asks the store in case an announcement was lost
 * @param nestedWait how long a loader waits for somebody else's load before it loads without storing
 * @param backOff how long nobody loads a key after one failure; doubles with each further one
 * @param maximumBackOff the longest back-off
 * @param storeTimeout how long a step of the store may take
 * @param schemaVersion the application's version of the values' form
 * @param near bound and time to live of the near tier; null has none
 * @param precompute what the background job regenerates; null unless {@code who} is JOB
 * @param rollOut the ramp onto this cache; null has none
 */
public record CacheSettings(
        String name,
        Strategy strategy,
        Duration expireAfterWrite,
        double jitter,
        Duration absentAfterWrite,
        EarlyRefresh early,
        Duration staleWhileRefreshing,
        Duration staleOnError,
        Duration waitTimeout,
        @Nullable Duration softTimeout,
        @Nullable Duration hardTimeout,
        Duration maximumLoadTime,
        Duration lease,
        Duration pollInterval,
        Duration nestedWait,
        Duration backOff,
        Duration maximumBackOff,
        Duration storeTimeout,
        int schemaVersion,
        @Nullable NearSettings near,
        @Nullable PrecomputeSettings precompute,
        @Nullable RollOut rollOut) {

    /** Checks each setting and those that depend on each other. */
    public CacheSettings {
        Check.name(name);
        Check.positive("expireAfterWrite", expireAfterWrite);
        Check.that(jitter >= 0 && jitter < 1, "jitter", "must be at least 0 and below 1", jitter);
        Check.notNegative("expireAbsentAfterWrite", absentAfterWrite);
        Check.notNegative("serveStaleWhileRefreshing", staleWhileRefreshing);
        Check.notNegative("serveStaleOnError", staleOnError);
        Check.positive("waitTimeout", waitTimeout);
        if (softTimeout != null) {
            Check.positive("softTimeout", softTimeout);
            Check.that(
                    !staleOnError.isZero() || !staleWhileRefreshing.isZero(),
                    "softTimeout",
                    "needs a stale window (serveStaleOnError or serveStaleWhileRefreshing)",
                    softTimeout);
        }
        if (hardTimeout != null) {
            Check.positive("hardTimeout", hardTimeout);
            Check.that(
                    softTimeout == null || softTimeout.compareTo(hardTimeout) < 0,
                    "softTimeout",
                    "must be below hardTimeout " + hardTimeout,
                    softTimeout);
        }
        Check.atLeast("lease", lease, Duration.ofMillis(30));
        Check.that(
                maximumLoadTime.compareTo(lease) >= 0,
                "maximumLoadTime",
                "must not be below lease " + lease,
                maximumLoadTime);
        Check.atLeast("pollInterval", pollInterval, Duration.ofMillis(1));
        Check.positive("nestedWait", nestedWait);
        Check.notNegative("backOff", backOff);
        Check.that(
                maximumBackOff.compareTo(backOff) >= 0,
                "backOff",
                "its maximum must not be below its first " + backOff,
                maximumBackOff);
        Check.positive("storeTimeout", storeTimeout);
        Check.that(schemaVersion >= 0, "schemaVersion", "must not be negative", schemaVersion);
        Check.that(
                (strategy.who() == Who.JOB) == (precompute != null),
                "precompute",
                "goes with strategy external (who JOB), and it with precompute; who is",
                strategy.who());
        Check.that(
                strategy.meanwhile() != Meanwhile.STALE || !staleWhileRefreshing.isZero(),
                "serveStaleWhileRefreshing",
                "must be set when meanwhile is STALE",
                staleWhileRefreshing);
    }

    /** True if neither early refresh, nor a schedule, nor a stale window softens the expiry. */
    public boolean isBareTtl() {
        return strategy.when() == When.EXPIRY && staleWhileRefreshing.isZero() && staleOnError.isZero();
    }

    /** From soft to hard expiry. */
    public Duration staleWindow() {
        return staleWhileRefreshing.compareTo(staleOnError) > 0 ? staleWhileRefreshing : staleOnError;
    }

    /** True if loads run on the executor even for synchronous callers, because those may leave before the end. */
    public boolean loadsOnExecutor() {
        return softTimeout != null || hardTimeout != null;
    }

    /**
     * The near tier's settings.
     *
     * @param maximumSize the number of entries, or -1 if the weight counts
     * @param maximumWeight the sum of weights, or -1 if the number counts
     * @param expireAfter how long an entry serves at most before it is read from the store again
     */
    public record NearSettings(long maximumSize, long maximumWeight, Duration expireAfter) {
        /** Checks each setting. */
        public NearSettings {
            Check.that(
                    maximumSize < 0 != maximumWeight < 0,
                    "near",
                    "needs one of maximumSize and maximumWeight",
                    maximumSize + " and " + maximumWeight);
            Check.positive("near.expireAfter", expireAfter);
        }
    }

    /**
     * The background job's settings.
     *
     * @param every the period; an entry is due that long after it was written
     */
    public record PrecomputeSettings(Duration every) {
        /** Checks the period. */
        public PrecomputeSettings {
            Check.positive("precompute.every", every);
        }
    }

    /**
     * A ramp onto this cache.
     *
     * @param startEpochMillis when the first keys move
     * @param over how long until all have moved
     */
    public record RollOut(long startEpochMillis, Duration over) {
        /** Checks the length. */
        public RollOut {
            Check.positive("rollOut.over", over);
        }
    }
}
