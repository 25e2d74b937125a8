package dev.corral.lab.report;

import dev.corral.lab.measure.Latencies;
import dev.corral.lab.race.RaceResult;
import dev.corral.lab.race.StrategyResult;
import java.time.Duration;
import java.util.Optional;

/** The results side by side: a column for each strategy, a row for each thing measured. */
public final class ResultTable {
    private ResultTable() {}

    /** As text. */
    public static String of(RaceResult race) {
        SideBySide<StrategyResult> table = new SideBySide<>(race.strategies());
        table.row("", result -> result.strategy().toString());
        table.row(
                "expiries or refreshes seen",
                result -> Integer.toString(result.episodes().size()));
        table.row("queries per expiry", result -> Numbers.range(result.queriesPerExpiry()));
        table.row("most queries at once", result -> Integer.toString(result.maxConcurrentQueries()));
        table.row("slowest query", result -> Numbers.time(result.slowestQueryMs()));
        table.row("hot page: P50", result -> Numbers.time(result.hot().p50Ms()));
        table.row("hot page: P99", result -> Numbers.time(result.hot().p99Ms()));
        table.row("hot page: slowest", result -> Numbers.time(result.hot().maxMs()));
        table.row("hot page: P99 around expiries", result -> p99(result.hotAround()));
        table.row("hot page: P99 between them", result -> p99(result.hotBetween()));
        table.row("hot page: around / between", ResultTable::ratio);
        table.row("unrelated page: P99 around", result -> p99(result.unrelatedAround()));
        table.row("unrelated page: P99 between", result -> p99(result.unrelatedBetween()));
        table.row("hit rate", result -> Numbers.percent(result.hitRate()));
        table.row("failed: hot page", result -> Long.toString(result.hotErrors()));
        table.row("failed: unrelated page", result -> Long.toString(result.unrelatedErrors()));
        table.row("waiting for the pool at worst", result -> Integer.toString(result.poolWaitersMax()));
        table.row("requests open at worst", result -> Integer.toString(result.openRequestsMax()));
        table.row("CPU: applications", result -> load(Optional.of(result.applicationCpu()), result));
        table.row("CPU: database", result -> load(result.databaseCpu(), result));
        table.row("load generator late, P99", result -> Numbers.time(result.generatorLateP99Ms()));
        return table.render();
    }

    private static String p99(Latencies latencies) {
        return latencies.count() == 0 ? "-" : Numbers.time(latencies.p99Ms());
    }

    private static String ratio(StrategyResult result) {
        double between = result.hotBetween().p99Ms();
        return between == 0 ? "-" : "%.0f x".formatted(result.hotAround().p99Ms() / between);
    }

    /** Cores used on average. */
    private static String load(Optional<Duration> cpu, StrategyResult result) {
        double measured = Numbers.ms(result.measured());
        return cpu.map(used -> "%.2f cores".formatted(Numbers.ms(used) / measured))
                .orElse("unknown");
    }
}
