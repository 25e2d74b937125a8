package dev.corral.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** What the plan says of a hot key is what closed forms and an independent simulation say of it (load 1.2 s, TTL 60 s). */
class FiguresTest {
    private static final Percentage CLOSE = Percentage.withPercentage(5);

    private static PlanResult plan(String strategy, int nodes, double rate, Duration length) {
        PlanSettings settings = new PlanSettings(
                nodes,
                rate,
                Duration.ofSeconds(60),
                Duration.ofMillis(1200),
                0,
                length,
                DatabaseSize.unlimited(),
                4711);
        PlanStrategy parsed = PlanStrategy.parse(strategy);
        return Plan.of(settings, List.of(parsed), begins -> {}).results().get(0);
    }

    /** 1 + rate · load. */
    @Test
    void naiveLoadsOnceForEachReaderOfALoadsTime() {
        PlanResult naive = plan("naive", 10, 100, Duration.ofHours(4));

        assertThat(naive.loadsPerEpisode()).isCloseTo(1 + 100 * 1.2, CLOSE);
        assertThat(naive.waitedShare()).isCloseTo(0.0196, CLOSE);
        assertThat(naive.meanAgeAtReloadSeconds()).isCloseTo(60, CLOSE);
    }

    @Test
    void mutexLoadsOnceAndLetsTheOthersWait() {
        PlanResult mutex = plan("mutex", 10, 100, Duration.ofHours(1));

        assertThat(mutex.loadsPerEpisode()).isEqualTo(1);
        assertThat(mutex.maxConcurrentLoads()).isEqualTo(1);
        assertThat(mutex.waitedShare()).isCloseTo(0.0196, Percentage.withPercentage(10));
    }

    /** The mean lead is load · (ln(rate · load) + 0.577). */
    @Test
    void xfetchWithALeaseLoadsOnceAndNobodyWaits() {
        PlanResult xfetch = plan("xfetch", 10, 1_000, Duration.ofHours(4));

        assertThat(xfetch.loadsPerEpisode()).isEqualTo(1);
        assertThat(xfetch.waitedShare()).isCloseTo(0, within(1e-4));
        assertThat(xfetch.loadsPerTtl()).isCloseTo(1.15, CLOSE);
        assertThat(xfetch.meanAgeAtReloadSeconds()).isCloseTo(50.6, CLOSE);
        assertThat(xfetch.meanLeadSeconds()).isCloseTo(1.2 * (Math.log(1_200) + 0.577), Percentage.withPercentage(10));
    }

    /** Independent of the load's time. */
    @Test
    void theSimpleFormulaRefreshesFarTooOftenWhenReadsAreMany() {
        assertThat(plan("simple", 10, 100, Duration.ofHours(1)).meanAgeAtReloadSeconds())
                .isCloseTo(8.8, CLOSE);
        assertThat(plan("simple", 10, 1_000, Duration.ofHours(1)).meanAgeAtReloadSeconds())
                .isCloseTo(6.5, CLOSE);
    }

    @Test
    void theAdaptiveWindowLoadsOnceShortlyBeforeExpiry() {
        PlanResult adaptive = plan("adaptive", 10, 1_000, Duration.ofHours(2));

        assertThat(adaptive.loadsPerEpisode()).isEqualTo(1);
        assertThat(adaptive.loadsPerTtl()).isCloseTo(1.00, CLOSE);
        assertThat(adaptive.meanAgeAtReloadSeconds()).isCloseTo(58.8, CLOSE);
        assertThat(adaptive.waitedShare()).isCloseTo(0, within(1e-4));
    }

    @Test
    void thousandNodesAndAMillionReadsASecondAreAnsweredToo() {
        PlanResult early = plan("early", 1_000, 1_000_000, Duration.ofMinutes(10));

        assertThat(early.maxConcurrentLoads()).isEqualTo(1);
        assertThat(early.reads()).isCloseTo(6e8, CLOSE);
    }

    /** The same seed, the same figures; another, others. */
    @Test
    void aPlanCanBeDoneAgain() {
        PlanResult one = plan("xfetch", 3, 50, Duration.ofHours(1));
        PlanResult same = plan("xfetch", 3, 50, Duration.ofHours(1));

        assertThat(same.meanAgeSeconds()).isEqualTo(one.meanAgeSeconds());
        assertThat(same.loads()).isEqualTo(one.loads());
    }
}
