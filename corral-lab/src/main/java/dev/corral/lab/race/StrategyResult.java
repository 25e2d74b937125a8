package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.measure.Episode;
import dev.corral.lab.measure.Latencies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What was measured of one strategy.
 *
 * @param queryAlone Q
 * @param episodes what each expiry, or each refresh, set off
 * @param hot all requests to the popular page
 * @param hotAround those around expiries
 * @param hotBetween the others
 * @param unrelatedAround requests to the unrelated page around expiries
 * @param unrelatedBetween the others
 * @param hitRate reads of the cache answered at once, as a share of all
 * @param poolWaitersMax requests waiting for a database connection at worst, all nodes together
 * @param openRequestsMax requests without an answer yet at worst, all nodes together
 * @param hotErrors requests to the popular page that failed
 * @param unrelatedErrors requests to the unrelated page that failed
 * @param applicationCpu processor time of the application processes
 * @param databaseCpu processor time of PostgreSQL, where it can be known
 * @param generatorLateP99Ms how late the load generator itself was, all but one request in a hundred
 * @param measured how long it was measured
 */
public record StrategyResult(
        RaceStrategy strategy,
        Duration queryAlone,
        List<Episode> episodes,
        Latencies hot,
        Latencies hotAround,
        Latencies hotBetween,
        Latencies unrelatedAround,
        Latencies unrelatedBetween,
        double hitRate,
        int poolWaitersMax,
        int openRequestsMax,
        long hotErrors,
        long unrelatedErrors,
        Duration applicationCpu,
        Optional<Duration> databaseCpu,
        double generatorLateP99Ms,
        Duration measured) {

    /** Queries that each expiry, or refresh, sent to the database. */
    public List<Integer> queriesPerExpiry() {
        return episodes.stream().map(Episode::queries).toList();
    }

    /** Most of them at once. */
    public int maxConcurrentQueries() {
        return episodes.stream().mapToInt(Episode::mostAtOnce).max().orElse(0);
    }

    /** The slowest of them. */
    public double slowestQueryMs() {
        return episodes.stream().mapToLong(Episode::slowestMicros).max().orElse(0) / 1e3;
    }

    /** Requests that failed. */
    public long errors() {
        return hotErrors + unrelatedErrors;
    }
}
