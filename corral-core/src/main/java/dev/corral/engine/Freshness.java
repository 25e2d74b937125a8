package dev.corral.engine;

import dev.corral.CacheSettings;
import dev.corral.EarlyRefresh;
import dev.corral.Strategy.When;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pure function of an entry, the time and one random number. */
final class Freshness {
    private static final Logger LOG = LoggerFactory.getLogger(Freshness.class);

    private final String cache;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final boolean early;
    private final EarlyRefresh policy;
    private final long refreshingWindow;
    private final long errorWindow;

    Freshness(CacheSettings settings) {
        this.cache = settings.name();
        this.early = settings.strategy().when() == When.EARLY;
        this.policy = settings.early();
        this.refreshingWindow = settings.staleWhileRefreshing().toNanos();
        this.errorWindow = settings.staleOnError().toNanos();
    }

    /** The instant before which nothing but FRESH can come out. */
    long earlyFrom(Entry<?> entry) {
        if (!early) {
            return entry.softExpiry();
        }
        return entry.softExpiry() - window(entry);
    }

    /** A policy of the user's that throws must not fail the reads of good entries: they expire without its help. */
    private long window(Entry<?> entry) {
        try {
            return Math.max(0, policy.windowNanos(entry.measured(Long.MAX_VALUE)));
        } catch (RuntimeException e) {
            warn(e);
            return 0;
        }
    }

    private boolean isDue(Entry<?> entry, long readGap, long remaining, double dice) {
        try {
            return policy.due(entry.measured(readGap), remaining, dice);
        } catch (RuntimeException e) {
            warn(e);
            return false;
        }
    }

    private void warn(RuntimeException e) {
        if (warned.compareAndSet(false, true)) { // once: it would be at each read
            LOG.warn("The early refresh policy {} of cache {} failed; nothing is refreshed early", policy, cache, e);
        }
    }

    Verdict judge(Entry<?> entry, long now, long readGap, double dice) {
        long remaining = entry.softExpiry() - now;
        if (remaining > 0) {
            return early && isDue(entry, readGap, remaining, dice) ? Verdict.EARLY : Verdict.FRESH;
        }
        boolean servable = -remaining < refreshingWindow && now - entry.hardExpiry() < 0;
        return servable ? Verdict.STALE : Verdict.EXPIRED;
    }

    /** True if the entry may be served when loading fails. */
    boolean servesOnError(Entry<?> entry, long now) {
        return now - entry.softExpiry() < Math.max(errorWindow, refreshingWindow) && now - entry.hardExpiry() < 0;
    }
}
