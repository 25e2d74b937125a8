package dev.corral.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.corral.lab.RaceStrategy;
import dev.corral.lab.measure.Episode;
import dev.corral.lab.measure.Latencies;
import dev.corral.lab.measure.QueryRun;
import dev.corral.lab.race.RaceResult;
import dev.corral.lab.race.RaceSettings;
import dev.corral.lab.race.StrategyResult;
import dev.corral.lab.shop.Calibration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is printed, and the JSON's stable shape. */
class ReportTest {

    private static Latencies latencies(double p99) {
        return new Latencies(100, p99 / 2, p99, p99 * 1.5);
    }

    private static StrategyResult result(RaceStrategy strategy, int queries, double hotP99, double unrelatedP99) {
        List<QueryRun> runs = java.util.stream.IntStream.range(0, queries)
                .mapToObj(i -> new QueryRun(0, 1_000_000L * (i + 1)))
                .toList();
        return new StrategyResult(
                strategy,
                Duration.ofMillis(400),
                List.of(new Episode(runs), new Episode(runs)),
                latencies(hotP99),
                latencies(hotP99),
                latencies(5),
                latencies(unrelatedP99),
                latencies(6),
                0.95,
                3,
                17,
                queries > 1 ? 4 : 0,
                queries > 1 ? 1 : 0,
                Duration.ofSeconds(3),
                Optional.of(Duration.ofSeconds(9)),
                1.5,
                Duration.ofSeconds(20));
    }

    private static RaceResult race() {
        RaceSettings settings = new RaceSettings(
                List.of(RaceStrategy.NAIVE, RaceStrategy.MUTEX),
                2,
                200,
                Optional.empty(),
                2,
                10,
                Duration.ofSeconds(3),
                Duration.ofMillis(400),
                Duration.ofSeconds(5),
                true,
                Optional.empty(),
                Optional.empty());
        List<Duration> runs = List.of(Duration.ofMillis(390), Duration.ofMillis(400), Duration.ofMillis(410));
        return new RaceResult(
                settings,
                new Calibration(Duration.ofMillis(400), runs, 300_000, Duration.ofDays(90)),
                Duration.ofSeconds(6),
                Map.of("redis", "6.2.11"),
                "the log",
                List.of(result(RaceStrategy.MUTEX, 1, 380, 20), result(RaceStrategy.NAIVE, 30, 9_000, 8_000)),
                Duration.ofSeconds(100));
    }

    @Test
    void naiveIsAlwaysLast() {
        assertThat(race().settings().strategies()).containsExactly(RaceStrategy.MUTEX, RaceStrategy.NAIVE);
    }

    @Test
    void theJsonHasTheShapeThatProgramsRelyOn() {
        JsonNode root = JsonReport.of(race());
        JsonNode naive = root.path("strategies").path("naive");

        assertThat(naive.path("queriesPerExpiry"))
                .hasSize(2)
                .allSatisfy(n -> assertThat(n.asInt()).isEqualTo(30));
        assertThat(naive.path("maxConcurrentQueries").asInt()).isEqualTo(30);
        assertThat(naive.path("slowestQueryMs").asDouble()).isEqualTo(30_000);
        for (String field : List.of(
                "p50Ms",
                "p99Ms",
                "p99AroundMs",
                "p99BetweenMs",
                "unrelatedP99AroundMs",
                "unrelatedP99BetweenMs",
                "hitRate")) {
            assertThat(naive.path(field).isNumber()).as(field).isTrue();
        }
        assertThat(naive.path("p99AroundMs").asDouble()).isEqualTo(9_000);
        assertThat(naive.path("poolWaitersMax").asInt()).isEqualTo(3);
        assertThat(naive.path("errors").asInt()).isEqualTo(5);
        assertThat(root.path("calibration").path("queryAloneMs").asDouble()).isEqualTo(400);
        assertThat(root.path("settings").path("ttlMs").asLong()).isEqualTo(6_000);
        assertThat(root.path("versions").path("redis").asText()).isEqualTo("6.2.11");
    }

    @Test
    void theTableHasAColumnPerStrategy() {
        String table = String.valueOf(ResultTable.of(race()));

        assertThat(table.lines().findFirst())
                .hasValueSatisfying(head -> assertThat(head.strip()).matches("mutex +naive"));
        assertThat(table)
                .containsPattern("queries per expiry +1 +30")
                .containsPattern("most queries at once +1 +30")
                .containsPattern("hot page: P99 around expiries +380 ms +9.0 s")
                .containsPattern("unrelated page: P99 around +20 ms +8.0 s")
                .containsPattern("waiting for the pool at worst +3 +3")
                .containsPattern("requests open at worst +17 +17");
    }

    @Test
    void theWordsSayWhatWasMeasured() {
        assertThat(InWords.of(result(RaceStrategy.EARLY, 1, 20, 20)))
                .isEqualTo("early: one query per refresh; nobody waited for it (P99 20 ms); "
                        + "the unrelated page did not notice (P99 20 ms).");
        assertThat(InWords.of(result(RaceStrategy.MUTEX, 1, 380, 20))).contains("whoever asked meanwhile waited");
        assertThat(InWords.of(result(RaceStrategy.NAIVE, 30, 9_000, 8_000)))
                .contains(
                        "30 queries per expiry, 30 at once", "and 5 requests failed", "the unrelated page had to wait");
        assertThat(InWords.of(result(RaceStrategy.EARLY, 30, 9_000, 8_000)))
                .as("not what it should have been")
                .contains("30 queries per refresh");
    }

    @Test
    void tablesRefuseRowsThatDoNotFit() {
        TextTable table = new TextTable();
        table.row(List.of("a", "b"));
        assertThatThrownBy(() -> table.row(List.of("a"))).isInstanceOf(IllegalArgumentException.class);
        assertThat(table.render()).isEqualTo("a   b\n-----\n");
    }

    @Test
    void numbersAreReadable() {
        assertThat(Numbers.time(3.14)).isEqualTo("3.1 ms");
        assertThat(Numbers.time(314)).isEqualTo("314 ms");
        assertThat(Numbers.time(3140)).isEqualTo("3.1 s");
        assertThat(Numbers.range(List.of(1, 1))).isEqualTo("1");
        assertThat(Numbers.range(List.of(3, 1))).isEqualTo("1 to 3");
        assertThat(Numbers.range(List.of())).isEqualTo("none");
    }
}
