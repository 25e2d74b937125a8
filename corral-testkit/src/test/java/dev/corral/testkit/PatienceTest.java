package dev.corral.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
    @Test
    void looksUntilItIsSo() {
        AtomicInteger looks = new AtomicInteger();
        Patience.until("the third look", () -> looks.incrementAndGet() == 3);
        assertThat(looks).hasValue(3);
    }

    @Test
    void saysWhatHasNotComeInTime() {
        assertThatThrownBy(() -> Patience.within(Duration.ofMillis(1), "the impossible", () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessage("not within PT0.001S: the impossible");
    }
}
