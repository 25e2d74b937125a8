package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.load.Endpoint;
import dev.corral.lab.load.LoadGenerator;
import dev.corral.lab.load.Sample;
import dev.corral.lab.measure.Episode;
import dev.corral.lab.measure.Episodes;
import dev.corral.lab.measure.Latencies;
import dev.corral.lab.measure.QueryRun;
import dev.corral.lab.measure.Windows;
import java.time.Duration;
import java.util.List;

/**
 * Makes the result of one strategy out of what was recorded.
 *
 * @param startMicros when the measurement began; what began earlier belongs to the warm-up
 * @param endMicros when the load ended
 */
record Measurement(Course course, RaceStrategy strategy, long startMicros, long endMicros) {

    StrategyResult result(List<QueryRun> runs, LoadGenerator load, Baseline before, Baseline after) {
        List<Episode> all = Episodes.of(runs, course.quietMicros(strategy));
        Windows windows = new Windows(all, course.queryAloneMicros());
        List<Sample> samples = load.samples().stream()
                .filter(sample -> measured(sample.intendedMicros()))
                .toList();
        return new StrategyResult(
                strategy,
                course.queryAlone(),
                all.stream().filter(episode -> measured(episode.startMicros())).toList(),
                Latencies.of(samples, sample -> sample.endpoint() == Endpoint.HOT),
                latencies(samples, Endpoint.HOT, windows, true),
                latencies(samples, Endpoint.HOT, windows, false),
                latencies(samples, Endpoint.UNRELATED, windows, true),
                latencies(samples, Endpoint.UNRELATED, windows, false),
                after.hitRateSince(before),
                after.poolWaitersMax(),
                load.mostOpen(),
                errors(samples, Endpoint.HOT),
                errors(samples, Endpoint.UNRELATED),
                after.applicationCpuSince(before),
                after.databaseCpuSince(before),
                Latencies.lateness(samples).p99Ms(),
                Duration.ofNanos((endMicros - startMicros) * 1_000));
    }

    private boolean measured(long micros) {
        return micros >= startMicros && micros <= endMicros;
    }

    private static Latencies latencies(List<Sample> samples, Endpoint endpoint, Windows windows, boolean around) {
        return Latencies.of(
                samples, sample -> sample.endpoint() == endpoint && windows.around(sample.intendedMicros()) == around);
    }

    private static long errors(List<Sample> samples, Endpoint endpoint) {
        return samples.stream()
                .filter(sample -> sample.endpoint() == endpoint && !sample.ok())
                .count();
    }
}
