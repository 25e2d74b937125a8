package dev.corral.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.lab.load.Endpoint;
import dev.corral.lab.load.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what the database says to what the table says. */
class MeasureTest {
    private static final long SECOND = 1_000_000;

    private static QueryRun run(double start, double end) {
        return new QueryRun((long) (start * SECOND), (long) (end * SECOND));
    }

    @Test
    void concurrencyIsTheMostAtAnyMoment() {
        assertThat(Concurrency.most(List.of())).isZero();
        assertThat(Concurrency.most(List.of(run(0, 1)))).isEqualTo(1);
        assertThat(Concurrency.most(List.of(run(0, 4), run(1, 2), run(1.5, 3), run(2.5, 5))))
                .isEqualTo(3);
    }

    @Test
    void oneThatEndsWhenAnotherBeginsDoesNotRunBesideIt() {
        assertThat(Concurrency.most(List.of(run(0, 1), run(1, 2)))).isEqualTo(1);
    }

    @Test
    void queriesBelongToTheExpiryThatSetThemOff() {
        List<QueryRun> runs = List.of(run(10, 11), run(10.1, 14), run(13, 15), run(21, 22));

        List<Episode> episodes = Episodes.of(runs, 3 * SECOND);

        assertThat(episodes).extracting(Episode::queries).containsExactly(3, 1);
        assertThat(episodes.get(0).startMicros()).isEqualTo(10 * SECOND);
        assertThat(episodes.get(0).endMicros()).isEqualTo(15 * SECOND);
        assertThat(episodes.get(0).mostAtOnce()).isEqualTo(2);
        assertThat(episodes.get(0).slowestMicros()).isEqualTo(3_900_000);
    }

    @Test
    void aroundLastsTwiceTheQueryOrAsLongAsTheHerd() {
        Episode single = new Episode(List.of(run(10, 11)));
        Episode herd = new Episode(List.of(run(20, 21), run(20, 29)));
        Windows windows = new Windows(List.of(single, herd), SECOND);

        assertThat(windows.around((long) (9.95 * SECOND)))
                .as("the request left before its query began")
                .isTrue();
        assertThat(windows.around((long) (9.8 * SECOND))).isFalse();
        assertThat(windows.around((long) (11.9 * SECOND))).isTrue();
        assertThat(windows.around((long) (12.1 * SECOND))).isFalse();
        assertThat(windows.around(28 * SECOND)).isTrue();
        assertThat(windows.around(29 * SECOND)).isFalse();
    }

    @Test
    void percentilesCountFromTheIntendedStart() {
        List<Sample> samples = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> new Sample(Endpoint.HOT, i, 5_000_000L, i * 1_000_000L, true))
                .toList();

        Latencies latencies = Latencies.of(samples, sample -> true);

        assertThat(latencies.count()).isEqualTo(100);
        assertThat(latencies.p50Ms()).isBetween(49.9, 50.1);
        assertThat(latencies.p99Ms()).isBetween(98.8, 99.2);
        assertThat(latencies.maxMs()).isBetween(99.9, 100.1);
        assertThat(Latencies.lateness(samples).p99Ms()).isBetween(4.9, 5.1);
        assertThat(Latencies.of(samples, sample -> false).p99Ms()).isZero();
    }

    @Test
    void aLineOfTheLogGivesStartAndEnd() {
        assertThat(PostgresLogLine.parse("1700000000.500|123|LOG:  duration: 250.250 ms  execute <unnamed>: "
                        + "/* corral:trending */ select 1"))
                .contains(new QueryRun(1_700_000_000_249_750L, 1_700_000_000_500_000L));
    }

    @Test
    void otherLinesAreNotCounted() {
        for (String line : List.of(
                "",
                "garbage",
                "1700000000.500|123|LOG:  duration: 0.250 ms  parse <unnamed>: /* corral:trending */ select 1",
                "1700000000.500|123|LOG:  duration: 0.250 ms  bind <unnamed>: /* corral:trending */ select 1",
                "1700000000.500|123|LOG:  duration: 250.250 ms  execute <unnamed>: select * from products",
                "1700000000.500|123|ERROR:  /* corral:trending */")) {
            assertThat(PostgresLogLine.parse(line)).as(line).isEmpty();
        }
    }

    @Test
    void theLogIsReadOnFromWhereItWas(@TempDir Path folder) throws IOException {
        String line = "1700000000.500|1|LOG:  duration: 10.000 ms  execute <unnamed>: /* corral:trending */ x\n";
        Path file = Files.writeString(folder.resolve("log"), line);
        PostgresLog log = PostgresLog.from(file);
        assertThat(log.runs()).as("what was there before").isEmpty();

        Files.writeString(file, line + line.substring(0, 30), StandardOpenOption.APPEND);
        assertThat(log.runs()).hasSize(1);
        Files.write(file, line.substring(30).getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        assertThat(log.runs()).as("a line that was being written").hasSize(2);
    }
}
