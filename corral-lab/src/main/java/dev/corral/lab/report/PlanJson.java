package dev.corral.lab.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;
import dev.corral.simulator.plan.PlanSettings;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;

/** A simulation for programs. Fields are only ever added; {@code docs/simulation.md} says what each means. */
public final class PlanJson {
    private static final MathContext DIGITS = new MathContext(6);

    private PlanJson() {}

    /** Writes it to a file. */
    public static void write(Plan plan, Path file) {
        Json.write(of(plan), file);
    }

    /** As text. */
    public static String text(Plan plan) {
        return Json.text(of(plan));
    }

    private static ObjectNode of(Plan plan) {
        ObjectNode root = Json.object();
        ObjectNode strategies = root.putObject("strategies");
        plan.results().forEach(result -> fill(strategies.putObject(result.strategy()), result));
        fill(root.putObject("settings"), plan.settings());
        root.put("seconds", rounded(plan.took().toMillis() / 1e3));
        return root;
    }

    private static void fill(ObjectNode node, PlanResult result) {
        node.put("loadsPerTtl", rounded(result.loadsPerTtl()))
                .put("loadsPerEpisode", rounded(result.loadsPerEpisode()))
                .put("maxConcurrentLoads", result.maxConcurrentLoads())
                .put("databaseBusyShare", rounded(result.databaseBusyShare()))
                .put("waitedShare", rounded(result.waitedShare()))
                .put("unansweredShare", rounded(result.unansweredShare()))
                .put("p50WaitMs", rounded(result.p50WaitMs()))
                .put("p99WaitMs", rounded(result.p99WaitMs()))
                .put("p999WaitMs", rounded(result.p999WaitMs()))
                .put("meanAgeAtReloadSeconds", rounded(result.meanAgeAtReloadSeconds()))
                .put("meanAgeSeconds", rounded(result.meanAgeSeconds()))
                .put("maxAgeSeconds", rounded(result.maxAgeSeconds()))
                .put("earlyShare", rounded(result.earlyShare()))
                .put("meanLeadSeconds", rounded(result.meanLeadSeconds()))
                .put("leaseAttemptsPerEpisode", rounded(result.leaseAttemptsPerEpisode()))
                .put("loads", result.loads())
                .put("reads", rounded(result.reads()))
                .put("seen", PlanInWords.of(result));
    }

    private static void fill(ObjectNode node, PlanSettings settings) {
        node.put("nodes", settings.nodes())
                .put("ratePerSecond", rounded(settings.rate()))
                .put("ttlMs", settings.ttl().toMillis())
                .put("loadMs", settings.load().toMillis())
                .put("loadVaries", rounded(settings.varies()))
                .put("forMs", settings.length().toMillis())
                .put("database", settings.database().toString())
                .put("seed", settings.seed());
    }

    private static BigDecimal rounded(double number) {
        return new BigDecimal(number).round(DIGITS);
    }
}
