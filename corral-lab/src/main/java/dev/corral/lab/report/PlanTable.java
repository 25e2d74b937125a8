package dev.corral.lab.report;

import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;

/** What was simulated side by side: a column for each strategy, a row for each thing measured. */
public final class PlanTable {
    private PlanTable() {}

    /** As text. */
    public static String of(Plan plan) {
        SideBySide<PlanResult> table = new SideBySide<>(plan.results());
        table.row("", PlanResult::strategy);
        table.row("loads per TTL", result -> Numbers.mean(result.loadsPerTtl()));
        table.row("loads per episode", result -> Numbers.mean(result.loadsPerEpisode()));
        table.row("most loads at once", result -> Numbers.count(result.maxConcurrentLoads()));
        table.row("database busy", result -> Numbers.percent(result.databaseBusyShare()));
        table.row("wait: P50", result -> Numbers.time(result.p50WaitMs()));
        table.row("wait: P99", result -> Numbers.time(result.p99WaitMs()));
        table.row("wait: P99.9", result -> Numbers.time(result.p999WaitMs()));
        table.row("waited more than 10 ms", result -> Numbers.smallPercent(result.waitedShare()));
        table.row("got no value", result -> Numbers.smallPercent(result.unansweredShare()));
        table.row("age when reloaded, mean", result -> age(result.meanAgeAtReloadSeconds()));
        table.row("age when served, mean", result -> age(result.meanAgeSeconds()));
        table.row("age when served, oldest", result -> age(result.maxAgeSeconds()));
        table.row("refreshed before expiry", result -> Numbers.percent(result.earlyShare()));
        table.row("so long before, mean", result -> result.earlyShare() == 0 ? "-" : age(result.meanLeadSeconds()));
        table.row("lease attempts per episode", result -> Numbers.mean(result.leaseAttemptsPerEpisode()));
        return table.render();
    }

    private static String age(double seconds) {
        return Numbers.time(seconds * 1_000);
    }
}
