package dev.corral.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.EarlyRefresh;
import dev.corral.Strategy;
import dev.corral.Strategy.Who;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How strategies and databases are written. */
class PlanStrategyTest {

    @Test
    void aCommaBeforeAnOptionDoesNotEndAStrategy() {
        List<PlanStrategy> all = PlanStrategy.parseAll("naive,xfetch:beta=2,lease=off,flights=off,mutex");

        assertThat(all)
                .extracting(PlanStrategy::name)
                .containsExactly("naive", "xfetch:beta=2,lease=off,flights=off", "mutex");
        assertThat(all.get(1).policy()).isEqualTo(EarlyRefresh.xfetch(2));
        assertThat(all.get(1).axes().who()).isEqualTo(Who.PROCESS);
        assertThat(all.get(1).flights()).isFalse();
        assertThat(all.get(2).axes()).isEqualTo(Strategy.mutex());
    }

    @Test
    void optionsThatAreNotGivenAreTheEnginesOwn() {
        PlanStrategy xfetch = PlanStrategy.parse("xfetch");

        assertThat(xfetch.axes()).isEqualTo(Strategy.early());
        assertThat(xfetch.policy()).isEqualTo(EarlyRefresh.xfetch());
        assertThat(xfetch.flights()).isTrue();
        assertThat(xfetch.foreground()).isFalse();
    }

    @Test
    void windowsAndPeriodsAreDurations() {
        assertThat(PlanStrategy.parse("stale:window=1.5s").window()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(PlanStrategy.parse("external:every=2m").every()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void earlyIsWhatTheBuilderDoesByDefault() throws IOException {
        String defaults = Files.readString(Path.of("..", "docs", "defaults.md"));

        assertThat(defaults)
                .contains("| `earlyRefresh` | `" + PlanStrategy.parse("early").policy() + "` |");
    }

    @Test
    void databasesHaveCoresAndPerhapsConnections() {
        assertThat(DatabaseSize.parse("cores=2,connections=10")).isEqualTo(new DatabaseSize(2, 10));
        assertThat(DatabaseSize.parse("cores=2")).hasToString("cores=2");
        assertThat(DatabaseSize.parse("unlimited").isUnlimited()).isTrue();
        assertThatThrownBy(() -> DatabaseSize.parse("cores=2,cores=3")).hasMessageEndingWith("got cores=2,cores=3");
    }
}
