package dev.corral.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.corral.lab.race.RaceResult;
import dev.corral.lab.race.RaceSettings;
import dev.corral.lab.race.StrategyResult;
import dev.corral.lab.shop.Calibration;
import java.nio.file.Path;
import java.time.Duration;

/** The result for programs. Fields are only ever added; {@code docs/race.md} says what each means. */
public final class JsonReport {
    private JsonReport() {}

    /** Writes the report to a file. */
    public static void write(RaceResult race, Path file) {
        Json.write(of(race), file);
    }

    static ObjectNode of(RaceResult race) {
        ObjectNode root = Json.object();
        ObjectNode strategies = root.putObject("strategies");
        for (StrategyResult result : race.strategies()) {
            fill(strategies.putObject(result.strategy().toString()), result);
        }
        fill(root.putObject("calibration"), race.calibration());
        fill(root.putObject("settings"), race.settings(), race.ttl());
        ObjectNode versions = root.putObject("versions");
        race.versions().forEach(versions::put);
        root.put("countedBy", race.counting());
        root.put("seconds", round(race.took().toMillis() / 1e3));
        return root;
    }

    private static void fill(ObjectNode node, StrategyResult result) {
        ArrayNode queries = node.putArray("queriesPerExpiry");
        result.queriesPerExpiry().forEach(queries::add);
        node.put("maxConcurrentQueries", result.maxConcurrentQueries())
                .put("slowestQueryMs", round(result.slowestQueryMs()))
                .put("p50Ms", round(result.hot().p50Ms()))
                .put("p99Ms", round(result.hot().p99Ms()))
                .put("maxMs", round(result.hot().maxMs()))
                .put("p99AroundMs", round(result.hotAround().p99Ms()))
                .put("p99BetweenMs", round(result.hotBetween().p99Ms()))
                .put("unrelatedP99AroundMs", round(result.unrelatedAround().p99Ms()))
                .put("unrelatedP99BetweenMs", round(result.unrelatedBetween().p99Ms()))
                .put("hitRate", result.hitRate())
                .put("poolWaitersMax", result.poolWaitersMax())
                .put("openRequestsMax", result.openRequestsMax())
                .put("errors", result.errors())
                .put("hotErrors", result.hotErrors())
                .put("unrelatedErrors", result.unrelatedErrors())
                .put("requests", result.hot().count())
                .put("requestsAround", result.hotAround().count())
                .put("unrelatedRequestsAround", result.unrelatedAround().count())
                .put("applicationCpuSeconds", round(result.applicationCpu().toMillis() / 1e3))
                .put(
                        "databaseCpuSeconds",
                        result.databaseCpu()
                                .map(cpu -> round(cpu.toMillis() / 1e3))
                                .orElse(null))
                .put("generatorLateP99Ms", round(result.generatorLateP99Ms()))
                .put("measuredSeconds", round(result.measured().toMillis() / 1e3))
                .put("seen", InWords.of(result));
    }

    private static void fill(ObjectNode node, Calibration calibration) {
        node.put("queryAloneMs", round(Numbers.ms(calibration.queryAlone())));
        ArrayNode runs = node.putArray("runsMs");
        calibration.runs().forEach(run -> runs.add(round(Numbers.ms(run))));
        node.put("orderLines", calibration.lines())
                .put("windowDays", calibration.window().toDays());
    }

    private static void fill(ObjectNode node, RaceSettings settings, Duration ttl) {
        ArrayNode strategies = node.putArray("strategies");
        settings.strategies().forEach(strategy -> strategies.add(strategy.toString()));
        node.put("nodes", settings.nodes())
                .put("ratePerSecond", settings.rate())
                .put("unrelatedRatePerSecond", RaceSettings.TRICKLE)
                .put("ttlMs", ttl.toMillis())
                .put("expiries", settings.expiries())
                .put("pool", settings.pool())
                .put("poolTimeoutMs", settings.poolTimeout().toMillis())
                .put("warmUpMs", settings.warmUp().toMillis())
                .put("quick", settings.quick())
                .put("ownRedis", settings.ownRedis().isPresent())
                .put("ownPostgres", settings.ownDatabase().isPresent());
    }

    private static double round(double number) {
        return Math.round(number * 100) / 100.0;
    }
}
