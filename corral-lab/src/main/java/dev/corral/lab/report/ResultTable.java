package dev.corral.lab.report;

import dev.corral.lab.measure.Latencies;
import dev.corral.lab.race.RaceResult;
import dev.corral.lab.race.StrategyResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The results side by side: a column for each strategy, a row for each thing measured. */
public final class ResultTable {
    private final List<StrategyResult> results;
    private final TextTable table = new TextTable();

    private ResultTable(List<StrategyResult> results) {
        this.results = results;
    }

    /** As text. */
    public static String of(RaceResult race) {
        return new ResultTable(race.strategies()).render();
    }

    private String render() {
        row("", result -> result.strategy().toString());
        row(
                "expiries or refreshes seen",
                result -> Integer.toString(result.episodes().size()));
        row("queries per expiry", result -> Numbers.range(result.queriesPerExpiry()));
        row("most queries at once", result -> Integer.toString(result.maxConcurrentQueries()));
        row("slowest query", result -> Numbers.time(result.slowestQueryMs()));
        row("hot page: P50", result -> Numbers.time(result.hot().p50Ms()));
        row("hot page: P99", result -> Numbers.time(result.hot().p99Ms()));
        row("hot page: slowest", result -> Numbers.time(result.hot().maxMs()));
        row("hot page: P99 around expiries", result -> p99(result.hotAround()));
        row("hot page: P99 between them", result -> p99(result.hotBetween()));
        row("hot page: around / between", ResultTable::ratio);
        row("unrelated page: P99 around", result -> p99(result.unrelatedAround()));
        row("unrelated page: P99 between", result -> p99(result.unrelatedBetween()));
        row("hit rate", result -> Numbers.percent(result.hitRate()));
        row("failed: hot page", result -> Long.toString(result.hotErrors()));
        row("failed: unrelated page", result -> Long.toString(result.unrelatedErrors()));
        row("waiting for the pool at worst", result -> Integer.toString(result.poolWaitersMax()));
        row("requests open at worst", result -> Integer.toString(result.openRequestsMax()));
        row("CPU: applications", result -> load(Optional.of(result.applicationCpu()), result));
        row("CPU: database", result -> load(result.databaseCpu(), result));
        row("load generator late, P99", result -> Numbers.time(result.generatorLateP99Ms()));
        return table.render();
    }

    private void row(String name, Function<StrategyResult, String> cell) {
        List<String> cells = new ArrayList<>(List.of(name));
        results.forEach(result -> cells.add(cell.apply(result)));
        table.row(cells);
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
