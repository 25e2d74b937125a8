package dev.corral.lab.race;

import dev.corral.lab.app.AppMetrics;
import dev.corral.lab.measure.ProcessCpu;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** The counters at one moment; two of them make a measurement. */
record Baseline(List<AppMetrics> nodes, Optional<Duration> databaseCpu) {

    static Baseline take(Nodes nodes, OptionalLong databasePid) {
        Optional<Duration> cpu =
                databasePid.isPresent() ? ProcessCpu.ofTree(databasePid.getAsLong()) : Optional.empty();
        return new Baseline(nodes.metrics(), cpu);
    }

    Duration applicationCpuSince(Baseline before) {
        return Duration.ofMillis(sum(AppMetrics::cpuMillis) - before.sum(AppMetrics::cpuMillis));
    }

    Optional<Duration> databaseCpuSince(Baseline before) {
        return databaseCpu.flatMap(after -> before.databaseCpu.map(after::minus));
    }

    double hitRateSince(Baseline before) {
        long reads = sum(AppMetrics::cacheReads) - before.sum(AppMetrics::cacheReads);
        long hits = sum(AppMetrics::cacheHits) - before.sum(AppMetrics::cacheHits);
        return reads == 0 ? 1 : (double) hits / reads;
    }

    int poolWaitersMax() {
        return (int) sum(AppMetrics::poolWaitingMax);
    }

    private long sum(ToLongFunction<AppMetrics> counter) {
        return nodes.stream().mapToLong(counter).sum();
    }
}
