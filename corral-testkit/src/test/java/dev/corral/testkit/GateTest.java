package dev.corral.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GateTest {
    @Test
    void holdsWhoeverComesUntilItIsOpened() throws Exception {
        Gate gate = Gate.shut();
        CompletableFuture<Boolean> through = CompletableFuture.supplyAsync(() -> {
            try {
                gate.pass();
            } catch (InterruptedException e) {
                return false;
            }
            return gate.isOpen();
        });
        gate.awaitArrivals(1);
        assertThat(gate.isOpen()).isFalse();
        gate.open();
        assertThat(through.get(10, TimeUnit.SECONDS)).isTrue();
        gate.pass();
        assertThat(gate.arrived()).isEqualTo(2);
    }

    @Test
    void canBeShutAgain() throws InterruptedException {
        Gate gate = Gate.shut(Duration.ofMillis(1));
        gate.open();
        gate.pass();
        gate.close();
        assertThatThrownBy(gate::pass).isInstanceOf(AssertionError.class).hasMessageContaining("not opened");
    }

    @Test
    void nobodyWaitsForEver() {
        Gate gate = Gate.shut(Duration.ofMillis(1));
        assertThatThrownBy(() -> gate.awaitArrivals(2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("0 of 2");
    }
}
