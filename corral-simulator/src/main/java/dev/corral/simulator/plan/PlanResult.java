package dev.corral.simulator.plan;

/**
 * What a strategy came to, counted from the end of the warm-up on.
 *
 * @param strategy its name as the user wrote it
 * @param reads readers, counted or expected
 * @param loads loads begun
 * @param loadsPerTtl loads begun in one time to live
 * @param loadsPerEpisode loads begun from the first for an entry to its end
 * @param maxConcurrentLoads most loads at once
 * @param databaseBusyShare of a database with so many cores, the share of them in use; of an unlimited one, the share of
 *     the time in which it ran a load
 * @param waitedShare readers that waited for more than 10 ms
 * @param unansweredShare readers that got no value: "pending", or an error
 * @param p50WaitMs half waited at most this
 * @param p99WaitMs all but one in a hundred
 * @param p999WaitMs all but one in a thousand
 * @param meanAgeAtReloadSeconds how old the entry was when the first load of an episode began
 * @param meanAgeSeconds how old what was served was
 * @param maxAgeSeconds how old at most
 * @param earlyShare episodes that began before expiry
 * @param meanLeadSeconds how long before expiry those began
 * @param leaseAttemptsPerEpisode questions for the lease
 * @param series over time
 */
public record PlanResult(
        String strategy,
        double reads,
        long loads,
        double loadsPerTtl,
        double loadsPerEpisode,
        long maxConcurrentLoads,
        double databaseBusyShare,
        double waitedShare,
        double unansweredShare,
        double p50WaitMs,
        double p99WaitMs,
        double p999WaitMs,
        double meanAgeAtReloadSeconds,
        double meanAgeSeconds,
        double maxAgeSeconds,
        double earlyShare,
        double meanLeadSeconds,
        double leaseAttemptsPerEpisode,
        PlanSeries series) {}
