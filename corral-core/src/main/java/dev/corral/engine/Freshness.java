package dev.corral.engine;

import dev.corral.CacheSettings;
import dev.corral.EarlyRefresh;
import dev.corral.Strategy.When;

/** A pure function of an entry, the time and one random number. */
final class Freshness {
    private final boolean early;
    private final EarlyRefresh policy;
    private final long refreshingWindow;
    private final long errorWindow;

    Freshness(CacheSettings settings) {
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
        return entry.softExpiry() - Math.max(0, policy.windowNanos(entry.measured(Long.MAX_VALUE)));
    }

    Verdict judge(Entry<?> entry, long now, long readGap, double dice) {
        long remaining = entry.softExpiry() - now;
        if (remaining > 0) {
            boolean due = early && policy.due(entry.measured(readGap), remaining, dice);
            return due ? Verdict.EARLY : Verdict.FRESH;
        }
        boolean servable = -remaining < refreshingWindow && now - entry.hardExpiry() < 0;
        return servable ? Verdict.STALE : Verdict.EXPIRED;
    }

    /** True if the entry may be served when loading fails. */
    boolean servesOnError(Entry<?> entry, long now) {
        return now - entry.softExpiry() < Math.max(errorWindow, refreshingWindow) && now - entry.hardExpiry() < 0;
    }
}
