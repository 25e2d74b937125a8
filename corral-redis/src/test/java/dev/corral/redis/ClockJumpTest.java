package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.testkit.ManualPlatform;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Somebody sets the server's clock. */
class ClockJumpTest {
    @Test
    void aMeasurementThatContradictsTheBestOneTakesItsPlace() {
        ManualPlatform manual = ManualPlatform.create();
        ClockKeeper clock = new ClockKeeper(manual.time());
        measure(manual, clock, 1_000_000, 0);
        measure(manual, clock, 9_000_000, TimeUnit.HOURS.toMicros(1)); // a poorer one, an hour later
        long said = clock.now().latestMillis(manual.time().nanoTime());
        assertThat(said - manual.time().wallMillis()).isGreaterThan(TimeUnit.MINUTES.toMillis(59));
    }

    private static void measure(ManualPlatform manual, ClockKeeper clock, long roundTripNanos, long aheadMicros) {
        long sent = manual.time().nanoTime();
        long server = TimeUnit.MILLISECONDS.toMicros(manual.time().wallMillis()) + aheadMicros;
        manual.advance(java.time.Duration.ofNanos(roundTripNanos));
        clock.measured(sent, server);
    }
}
