package dev.corral.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.corral.lab.Main;
import dev.corral.lab.cli.Terminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole race on real servers must show what the README says. Takes two and a half minutes and the machine for itself:
 * {@code mvn -pl corral-lab -am verify -Prace}.
 */
@EnabledIfSystemProperty(named = "corral.race", matches = "true")
class QuickRaceTest {

    @Test
    void naiveShowsTheHerdAndTheOthersOneQuery(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("race.json");
        int exit =
                new Main(new Terminal(System.out, System.err, false)).run("race", "--quick", "--json", file.toString());
        assertThat(exit).isZero();
        JsonNode root = new ObjectMapper().readTree(file.toFile());
        double query = root.path("calibration").path("queryAloneMs").asDouble();
        JsonNode strategies = root.path("strategies");

        JsonNode naive = strategies.path("naive");
        assertThat(naive.path("maxConcurrentQueries").asInt()).isGreaterThanOrEqualTo(15);
        assertThat(naive.path("queriesPerExpiry"))
                .isNotEmpty()
                .allSatisfy(queries -> assertThat(queries.asInt()).isGreaterThanOrEqualTo(15));
        assertThat(naive.path("unrelatedP99AroundMs").asDouble()).isGreaterThanOrEqualTo(2 * query);

        JsonNode mutex = strategies.path("mutex");
        assertThat(mutex.path("queriesPerExpiry"))
                .isNotEmpty()
                .allSatisfy(queries -> assertThat(queries.asInt()).isEqualTo(1));
        assertThat(mutex.path("p99AroundMs").asDouble()).isGreaterThanOrEqualTo(0.5 * query);

        for (String calm : List.of("early", "external")) {
            JsonNode strategy = strategies.path(calm);
            assertThat(strategy.path("queriesPerExpiry"))
                    .as(calm)
                    .isNotEmpty()
                    .allSatisfy(queries -> assertThat(queries.asInt()).isEqualTo(1));
            assertThat(strategy.path("errors").asInt()).as(calm).isZero();
            assertThat(strategy.path("p99AroundMs").asDouble()).as(calm).isLessThanOrEqualTo(0.25 * query);
            assertThat(strategy.path("unrelatedP99AroundMs").asDouble())
                    .as(calm)
                    .isLessThanOrEqualTo(0.25 * query);
        }
    }
}
