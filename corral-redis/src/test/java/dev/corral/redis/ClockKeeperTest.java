package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.spi.StoreClock;
import dev.corral.testkit.ManualPlatform;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClockKeeperTest {
    private static final long SERVER_AHEAD = TimeUnit.HOURS.toMicros(7);

    private final ManualPlatform manual = ManualPlatform.create();
    private final ClockKeeper clock = new ClockKeeper(manual.time());

    @Test
    void theErrorIsHalfTheRoundTrip() {
        measure(Duration.ofMillis(10));
        assertThat(clock.now().errorNanos()).isBetween(5_000_000L, 5_002_000L);
        assertTrue();
    }

    @Test
    void theBestMeasurementCounts() {
        measure(Duration.ofMillis(2));
        measure(Duration.ofMillis(100));
        assertThat(clock.now().errorNanos()).isLessThan(1_100_000);
        assertTrue();
    }

    @Test
    void itGrowsWorseWithTimeUntilANewerOneTakesItsPlace() {
        measure(Duration.ofMillis(2));
        manual.advance(Duration.ofSeconds(100));
        assertThat(clock.now().errorNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(20)); // 200 ppm
        measure(Duration.ofMillis(10));
        assertThat(clock.now().errorNanos()).isLessThan(TimeUnit.MILLISECONDS.toNanos(6));
        assertTrue();
    }

    @Test
    void afterForgettingAnyMeasurementIsBetterThanNone() {
        measure(Duration.ofMillis(2));
        clock.forget();
        assertThat(clock.now().errorNanos()).isGreaterThan(TimeUnit.DAYS.toNanos(1));
        measure(Duration.ofSeconds(1));
        assertTrue();
    }

    private void measure(Duration roundTrip) {
        long sent = manual.time().nanoTime();
        manual.advance(roundTrip.dividedBy(4));
        long server = serverMicros();
        manual.advance(roundTrip.minus(roundTrip.dividedBy(4)));
        clock.measured(sent, server);
    }

    private long serverMicros() {
        return TimeUnit.MILLISECONDS.toMicros(manual.time().wallMillis()) + SERVER_AHEAD;
    }

    /** The truth lies within what the keeper says; the manual wall clock is coarse to a millisecond. */
    private void assertTrue() {
        StoreClock now = clock.now();
        long said = manual.time().nanoTime() + now.offsetNanos();
        long truth = TimeUnit.MICROSECONDS.toNanos(serverMicros());
        assertThat(Math.abs(said - truth)).isLessThanOrEqualTo(now.errorNanos() + 1_000_000);
    }
}
