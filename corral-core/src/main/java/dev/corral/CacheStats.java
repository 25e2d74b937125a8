package dev.corral;

import java.time.Duration;

/**
 * Counters since the cache was built. Taken one by one, so a snapshot under load may be off by what happened meanwhile.
 *
 * @param nearHits reads answered by the near tier; may be a little low under contention, for an exact count would cost
 *     as much as a tenth of the hit
 * @param storeHits reads answered by a fresh entry of the store
 * @param staleServed reads answered with a stale value
 * @param pendingServed reads answered with "pending"
 * @param misses reads that found neither a fresh nor a servable stale value
 * @param joined misses that joined a flight somebody else had begun
 * @param loads loads that ended well
 * @param loadFailures loads that ended with an exception
 * @param totalLoadTime the time spent in all loads that ended
 * @param refreshes background loads begun, early or for a stale value
 * @param refreshesRefused background loads that could not begin: no thread, no permit
 * @param leasesLost leases that ended before their load did
 * @param commitsRejected loads whose value came too late to be stored
 * @param backOffs callers turned away because the last load failed
 * @param waitTimeouts callers that waited until their bound
 * @param loadsRejected loads turned away by the limiter
 * @param loadsOverdue loads interrupted because they ran past the maximum load time
 * @param loadsRunning loads running now, in the limiter's sense: with a permit
 * @param unreadable entries whose bytes could not be decoded
 * @param storeFailures steps the store did not carry out
 * @param outageLoads loads run without the store
 * @param queuedWrites invalidations and puts not yet delivered to the store
 * @param channelLosses how often announcements stopped arriving
 * @param overduePrecomputes times a scheduled value was seen past its due time
 */
public record CacheStats(
        long nearHits,
        long storeHits,
        long staleServed,
        long pendingServed,
        long misses,
        long joined,
        long loads,
        long loadFailures,
        Duration totalLoadTime,
        long refreshes,
        long refreshesRefused,
        long leasesLost,
        long commitsRejected,
        long backOffs,
        long waitTimeouts,
        long loadsRejected,
        long loadsOverdue,
        long loadsRunning,
        long unreadable,
        long storeFailures,
        long outageLoads,
        long queuedWrites,
        long channelLosses,
        long overduePrecomputes) {

    /** Reads answered with a value at once, near, store or stale, as a share of all reads; 1 when there was none. */
    public double hitRate() {
        long hits = nearHits + storeHits + staleServed;
        long reads = hits + pendingServed + misses;
        return reads == 0 ? 1 : (double) hits / reads;
    }
}
