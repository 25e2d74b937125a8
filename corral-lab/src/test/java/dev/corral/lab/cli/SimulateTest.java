package dev.corral.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code simulate} as a user meets it: each option by what it changes, and errors of one line. */
class SimulateTest extends CommandLineRuns {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private int simulate(String arguments) {
        out.reset();
        return run(("simulate " + arguments).split(" "));
    }

    private JsonNode json(String arguments) {
        assertThat(simulate(arguments + " --json -")).as(err()).isZero();
        try {
            return JSON.readTree(out());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double loads(String strategy, String arguments) {
        return json("--for 30m --strategy " + strategy + " " + arguments)
                .at("/strategies/" + strategy + "/loadsPerTtl")
                .asDouble();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --nodes 0                    | --nodes must be from 1 to 1000, got 0
            --nodes 1001                 | --nodes must be from 1 to 1000, got 1001
            --rate 0                     | --rate must be from 1 to 1000000, got 0
            --rate 1000001               | --rate must be from 1 to 1000000, got 1000001
            --ttl 10ms                   | --ttl must be at least 100 ms, got 10 ms
            --ttl long                   | must be a duration such as 400ms, 1.2s, 2m or 1h, got long
            --load 0s                    | --load must be at least 1 ms, got 0 ms
            --for 59s                    | --for must be at least 60000 ms, got 59000 ms
            --strategy quick             | --strategy must be of naive, mutex, early, external, xfetch, simple, adaptive, stale, got quick
            --strategy naive,            | --strategy must be of naive, mutex, early, external, xfetch, simple, adaptive, stale, got
            --strategy naive,mutex,naive | --strategy must name each once, got naive twice
            --strategy xfetch:beta=0     | --strategy option beta of xfetch must be a positive number, got 0
            --strategy xfetch:lease=yes  | --strategy option lease of xfetch must be on or off, got yes
            --strategy simple:x=1        | --strategy simple has no option x, got simple:x=1
            --strategy adaptive:beta=2   | --strategy adaptive has no option beta, got adaptive:beta=2
            --strategy stale:window=soon | --strategy option window of stale must be a duration such as 400ms, 1.2s, 2m or 1h, got soon
            --strategy mutex:            | --strategy must be NAME or NAME:OPTION=VALUE,… with each option once, got mutex:
            --database small             | --database must be unlimited, cores=NUMBER or cores=NUMBER,connections=NUMBER, got small
            --database connections=3     | --database must be unlimited, cores=NUMBER or cores=NUMBER,connections=NUMBER, got connections=3
            --seed x                     | '--seed'
            --load-varies 1              | --load-varies must be at least 0 and below 1, got 1.0
            --report /no/such/place      | --report must be a file in a folder that can be written to, got /no/such/place
            --json /no/such/place        | --json must be a file in a folder that can be written to, got /no/such/place
            """)
    void aWrongOptionIsNamedInOneLineWithExitCodeTwo(String arguments, String expected) {
        assertThat(simulate(arguments)).isEqualTo(2);

        String line = err();
        assertThat(line.lines()).hasSize(1);
        assertThat(line).startsWith("corral simulate: ").contains(expected).contains("(see corral simulate --help)");
        assertThat(out()).isEmpty();
    }

    @Test
    void withoutOptionsTheFourStrategiesAreComparedInATableAndInWords() {
        assertThat(simulate("--nodes 10 --rate 100 --for 10m")).isZero();

        assertThat(out())
                .containsPattern("naive +mutex +early +external")
                .contains("loads per TTL", "waited more than 10 ms", "lease attempts per episode")
                .contains("early: 1.", "nobody waited; refreshed")
                .containsPattern("Fewest loads: \\w+, [0-9.]+ per TTL, where naive has 1\\d\\d")
                .contains("10m of virtual time for each");
        assertThat(err()).as("nobody watches").isEmpty();
    }

    @Test
    void theJsonHasAStableShape() {
        JsonNode root = json("--nodes 3 --rate 50 --for 10m --strategy xfetch:beta=2,lease=off,mutex --seed 7");

        assertThat(root.at("/strategies").fieldNames())
                .toIterable()
                .containsExactly("xfetch:beta=2,lease=off", "mutex");
        assertThat(root.at("/strategies/mutex").fieldNames())
                .toIterable()
                .contains(
                        "loadsPerTtl",
                        "loadsPerEpisode",
                        "maxConcurrentLoads",
                        "databaseBusyShare",
                        "waitedShare",
                        "p50WaitMs",
                        "p99WaitMs",
                        "p999WaitMs",
                        "meanAgeAtReloadSeconds",
                        "meanAgeSeconds",
                        "maxAgeSeconds",
                        "meanLeadSeconds",
                        "leaseAttemptsPerEpisode");
        assertThat(root.at("/settings").toString())
                .isEqualTo(
                        "{\"nodes\":3,\"ratePerSecond\":50,\"ttlMs\":60000,\"loadMs\":1200,\"loadVaries\":0,\"forMs\":600000,"
                                + "\"database\":\"unlimited\",\"seed\":7}");
    }

    @Test
    void jsonGoesToAFileBesideTheTable() throws IOException {
        Path file = folder.resolve("plan.json");

        assertThat(simulate("--nodes 1 --rate 1 --for 10m --strategy mutex --json " + file))
                .isZero();

        assertThat(JSON.readTree(Files.readString(file))
                        .at("/strategies/mutex/maxConcurrentLoads")
                        .asInt())
                .isEqualTo(1);
        assertThat(out()).contains("loads per TTL");
    }

    @Test
    void theReportIsOnePageWithThreeChartsForEachStrategy() throws IOException {
        Path file = folder.resolve("plan.html");

        assertThat(simulate("--nodes 2 --rate 50 --for 10m --strategy naive,early --report " + file))
                .isZero();

        String page = Files.readString(file);
        assertThat(page.split("<svg ", -1)).hasSize(1 + 2 * 3);
        assertThat(page).contains("<h2>naive</h2>", "<h2>early</h2>", "loads at once", "readers that wait", "age of");
        assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "src=", "url(", "@import");
        assertThat(page).doesNotContain("NaN", "Infinity");
    }

    // ---- each option by what it changes

    @Test
    void moreNodesAskMoreOftenForTheLease() {
        String attempts = "/strategies/mutex/leaseAttemptsPerEpisode";
        assertThat(json("--strategy mutex --nodes 50").at(attempts).asDouble())
                .isGreaterThan(
                        10 * json("--strategy mutex --nodes 2").at(attempts).asDouble());
    }

    @Test
    void naiveLoadsGrowWithTheRateAndTheLoadTime() {
        double few = loads("naive", "--rate 20 --load 1s");
        assertThat(loads("naive", "--rate 200 --load 1s")).isBetween(8 * few, 12 * few);
        assertThat(loads("naive", "--rate 20 --load 3s")).isBetween(2.3 * few, 3.3 * few);
    }

    @Test
    void loadsThatVaryAreSometimesLong() {
        String wait = "/strategies/mutex/p999WaitMs";
        String mutex = "--strategy mutex --rate 100 --for 2h";
        double even = json(mutex).at(wait).asDouble();
        assertThat(json(mutex + " --load-varies 0.9").at(wait).asDouble()).isGreaterThan(1.4 * even);
    }

    @Test
    void theTimeToLiveIsWhatTheAgeComesFrom() {
        double age = json("--strategy mutex --ttl 20s --rate 100 --for 20m")
                .at("/strategies/mutex/meanAgeAtReloadSeconds")
                .asDouble();
        assertThat(age).isCloseTo(20, within(0.1));
    }

    @Test
    void thatMuchTimeIsMeasured() {
        double reads = json("--strategy mutex --rate 100 --for 1.5h")
                .at("/strategies/mutex/reads")
                .asDouble();
        assertThat(reads).isCloseTo(540_000, within(200.0));
    }

    @Test
    void aSmallDatabaseMakesTheStampedeWorse() {
        String unlimited = "--strategy naive --rate 20 --for 30m";
        String wait = "/strategies/naive/p999WaitMs";
        double small =
                json(unlimited + " --database cores=8,connections=20").at(wait).asDouble();
        assertThat(small).isGreaterThan(2 * json(unlimited).at(wait).asDouble());
    }

    @Test
    void theSeedDecides() {
        String arguments = "--strategy early --rate 10 --for 30m --seed ";
        String once = json(arguments + 3).at("/strategies").toString();
        assertThat(json(arguments + 3).at("/strategies").toString()).isEqualTo(once);
        assertThat(json(arguments + 4).at("/strategies").toString()).isNotEqualTo(once);
    }
}
