package dev.corral.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers that are aggregated against readers of which each is simulated. Both are run with several seeds, whose spread
 * tells how far two means may be apart by chance.
 */
class AggregationTest {
    private static final int SEEDS = 6;
    /** Standard errors: for all the figures here together chance goes beyond that once in a few hundred tries. */
    private static final double SIGMAS = 4;

    private record Sample(double mean, double error) {
        static Sample of(PlanResult[] results, ToDoubleFunction<PlanResult> figure) {
            double[] values = Arrays.stream(results).mapToDouble(figure).toArray();
            double mean = Arrays.stream(values).average().orElseThrow();
            double squares = Arrays.stream(values)
                    .map(value -> (value - mean) * (value - mean))
                    .sum();
            return new Sample(mean, Math.sqrt(squares / (values.length - 1) / values.length));
        }
    }

    private static PlanSettings few(int seed) {
        return new PlanSettings(
                3,
                8,
                Duration.ofSeconds(10),
                Duration.ofMillis(700),
                0,
                Duration.ofMinutes(20),
                new DatabaseSize(4, 12),
                seed);
    }

    /** So many that most of those near the end are not simulated. */
    private static PlanSettings many(int seed) {
        return new PlanSettings(
                2,
                60,
                Duration.ofSeconds(20),
                Duration.ofMillis(700),
                0,
                Duration.ofMinutes(20),
                DatabaseSize.unlimited(),
                seed);
    }

    private static PlanResult[] run(IntFunction<PlanSettings> settings, Function<PlanSettings, PlanResult> run) {
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> run.apply(settings.apply(seed)))
                .toArray(PlanResult[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "naive",
                "mutex",
                "early",
                "external",
                "stale",
                "xfetch:lease=off",
                "xfetch:lease=off,flights=off,foreground=on",
                "xfetch:flights=off",
                "simple:lease=off,flights=off",
                "adaptive",
                "adaptive:lease=off"
            })
    void bothWaysAgree(String name) {
        agree(AggregationTest::few, PlanStrategy.parse(name));
    }

    /** A policy that looks at the gaps between readers has learnt them from the last few. */
    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "early"})
    void bothWaysAgreeOnManyReaders(String name) {
        agree(AggregationTest::many, PlanStrategy.parse(name));
    }

    private static void agree(IntFunction<PlanSettings> settings, PlanStrategy strategy) {
        PlanResult[] all = run(settings, each -> PlanRun.of(each, strategy));
        PlanResult[] single = run(settings, each -> PlanRun.oneByOne(each, strategy));

        agree("loads per TTL", all, single, PlanResult::loadsPerTtl, 0.002);
        agree("loads per episode", all, single, PlanResult::loadsPerEpisode, 0.002);
        agree("reads", all, single, PlanResult::reads, 0);
        agree("waited", all, single, PlanResult::waitedShare, 1e-4);
        agree("P99", all, single, PlanResult::p99WaitMs, 12);
        agree("age at reload", all, single, PlanResult::meanAgeAtReloadSeconds, 0.01);
        agree("mean age", all, single, PlanResult::meanAgeSeconds, 0.01);
        agree("lead", all, single, PlanResult::meanLeadSeconds, 0.01);
        agree("lease attempts", all, single, PlanResult::leaseAttemptsPerEpisode, 0.01);
        agree("busy", all, single, PlanResult::databaseBusyShare, 2e-4);
    }

    /** @param grain what the figure's own resolution is */
    private static void agree(
            String what, PlanResult[] all, PlanResult[] single, ToDoubleFunction<PlanResult> figure, double grain) {
        Sample one = Sample.of(all, figure);
        Sample other = Sample.of(single, figure);
        double chance = SIGMAS * Math.hypot(one.error, other.error);
        assertThat(Math.abs(one.mean - other.mean))
                .as("%s: %s aggregated, %s one by one", what, one, other)
                .isLessThanOrEqualTo(chance + grain);
    }
}
