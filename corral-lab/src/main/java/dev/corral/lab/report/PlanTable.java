package dev.corral.lab.report;

import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What was simulated side by side: a column for each strategy, a row for each thing measured. */
public final class PlanTable {
    private final List<PlanResult> results;
    private final TextTable table = new TextTable();

    private PlanTable(List<PlanResult> results) {
        this.results = results;
    }

    /** As text. */
    public static String of(Plan plan) {
        return new PlanTable(plan.results()).render();
    }

    private String render() {
        row("", PlanResult::strategy);
        row("loads per TTL", result -> Numbers.count(result.loadsPerTtl()));
        row("loads per episode", result -> Numbers.count(result.loadsPerEpisode()));
        row("most loads at once", result -> Numbers.count((double) result.maxConcurrentLoads()));
        row("database busy", result -> Numbers.percent(result.databaseBusyShare()));
        row("wait: P50", result -> Numbers.time(result.p50WaitMs()));
        row("wait: P99", result -> Numbers.time(result.p99WaitMs()));
        row("wait: P99.9", result -> Numbers.time(result.p999WaitMs()));
        row("waited more than 10 ms", result -> Numbers.smallPercent(result.waitedShare()));
        row("got no value", result -> Numbers.smallPercent(result.unansweredShare()));
        row("age when reloaded, mean", result -> age(result.meanAgeAtReloadSeconds()));
        row("age when served, mean", result -> age(result.meanAgeSeconds()));
        row("age when served, oldest", result -> age(result.maxAgeSeconds()));
        row("refreshed before expiry", result -> Numbers.percent(result.earlyShare()));
        row("so long before, mean", result -> result.earlyShare() == 0 ? "-" : age(result.meanLeadSeconds()));
        row("lease attempts per episode", result -> Numbers.count(result.leaseAttemptsPerEpisode()));
        return table.render();
    }

    private void row(String name, Function<PlanResult, String> cell) {
        List<String> cells = new ArrayList<>(List.of(name));
        results.forEach(result -> cells.add(cell.apply(result)));
        table.row(cells);
    }

    private static String age(double seconds) {
        return Numbers.time(seconds * 1_000);
    }
}
