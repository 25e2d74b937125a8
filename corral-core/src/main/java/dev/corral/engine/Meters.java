package dev.corral.engine;

import dev.corral.CacheStats;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one cache. */
final class Meters {
    final HitCounter nearHits = new HitCounter();
    final LongAdder storeHits = new LongAdder();
    final LongAdder staleServed = new LongAdder();
    final LongAdder pendingServed = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder joined = new LongAdder();
    final LongAdder loads = new LongAdder();
    final LongAdder loadFailures = new LongAdder();
    final LongAdder loadNanos = new LongAdder();
    final LongAdder refreshes = new LongAdder();
    final LongAdder refreshesRefused = new LongAdder();
    final LongAdder leasesLost = new LongAdder();
    final LongAdder commitsRejected = new LongAdder();
    final LongAdder backOffs = new LongAdder();
    final LongAdder waitTimeouts = new LongAdder();
    final LongAdder loadsRejected = new LongAdder();
    final LongAdder loadsOverdue = new LongAdder();
    final LongAdder loadsRunning = new LongAdder();
    final LongAdder unreadable = new LongAdder();
    final LongAdder storeFailures = new LongAdder();
    final LongAdder outageLoads = new LongAdder();
    final LongAdder channelLosses = new LongAdder();
    final LongAdder overduePrecomputes = new LongAdder();

    CacheStats snapshot(long queuedWrites) {
        return new CacheStats(
                nearHits.sum(),
                storeHits.sum(),
                staleServed.sum(),
                pendingServed.sum(),
                misses.sum(),
                joined.sum(),
                loads.sum(),
                loadFailures.sum(),
                Duration.ofNanos(loadNanos.sum()),
                refreshes.sum(),
                refreshesRefused.sum(),
                leasesLost.sum(),
                commitsRejected.sum(),
                backOffs.sum(),
                waitTimeouts.sum(),
                loadsRejected.sum(),
                loadsOverdue.sum(),
                loadsRunning.sum(),
                unreadable.sum(),
                storeFailures.sum(),
                outageLoads.sum(),
                queuedWrites,
                channelLosses.sum(),
                overduePrecomputes.sum());
    }
}
