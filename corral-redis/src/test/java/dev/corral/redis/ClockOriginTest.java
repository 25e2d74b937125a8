package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.testkit.ManualPlatform;
import org.junit.jupiter.api.Test;

/** The monotonic clock may count from anywhere; the manual one counts from close below its overflow. */
class ClockOriginTest {
    @Test
    void beforeTheFirstMeasurementNothingIsFresh() {
        ManualPlatform manual = ManualPlatform.create();
        ClockKeeper clock = new ClockKeeper(manual.time());
        long inAnHour = manual.time().wallMillis() + 3_600_000;
        assertThat(clock.now().earliestNanoTime(inAnHour) - manual.time().nanoTime())
                .isNegative();
    }
}
