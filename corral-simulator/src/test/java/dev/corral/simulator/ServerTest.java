package dev.corral.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.KeyCodec;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The faults of the store: what is there afterwards is what a real one would have. */
class ServerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final World world = new World(1);
    private final History history = new History(world, Scenario.draw(1), false);
    private final Monitor monitor = new Monitor(history);
    private final Server server = new Server(
            world,
            monitor,
            new RegionSettings<>("rows", KeyCodec.of(String.class), 1, Duration.ofMinutes(2), Duration.ofSeconds(1)));

    @AfterEach
    void end() {
        world.end();
    }

    private <T> T ask(Step<T> step) {
        List<T> answers = new ArrayList<>();
        world.at(
                world.now(),
                () -> server.handle("client", world.now() + SECOND, step, (answer, clock) -> answers.add(answer)));
        world.pass(SECOND);
        assertThat(answers).as("answers to %s", step).hasSize(1);
        return answers.get(0);
    }

    private Reading read() {
        Map<String, Reading> readings = ask(new Step.Read(List.of("k0")));
        return readings.get("k0");
    }

    private static Draft draft(String value) {
        return new Draft(value, LONG, Duration.ZERO, Cost.UNKNOWN);
    }

    private Grant grant(Token token) {
        return ((Acquisition.Granted) ask(new Step.Acquire("k0", token, LONG, null))).grant();
    }

    @Test
    void aCopyThatLagsHasNotHeardOfTheLastWrites() {
        ask(new Step.Put("k0", new Token(1, 1), draft("old")));
        long before = world.now();
        ask(new Step.Invalidate(List.of("k0")));
        assertThat(read()).isInstanceOf(Reading.Missing.class);
        server.goDown();
        server.comeUpAsOf(before);
        assertThat(read())
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.entry().payload()).isEqualTo("old"));
    }

    @Test
    void aCopyThatLagsKnowsTheLeasesOfThen() {
        Token token = new Token(1, 1);
        Grant grant = grant(token);
        long before = world.now();
        ask(new Step.Invalidate(List.of("k0")));
        assertThat(ask(new Step.Commit("k0", grant, draft("late")))).isEqualTo(Committed.REJECTED);
        server.goDown();
        server.comeUpAsOf(before);
        assertThat(ask(new Step.Commit("k0", grant, draft("late")))).isEqualTo(Committed.STORED);
    }

    @Test
    void anEvictedValueIsGoneAndItsRecordIsNot() {
        Token token = new Token(1, 1);
        Grant grant = grant(token);
        ask(new Step.Commit("k0", grant, draft("value")));
        world.at(world.now(), () -> server.evict("k0", true, false));
        world.pass(0);
        assertThat(read()).isInstanceOf(Reading.Missing.class);
        assertThat(grant(new Token(2, 2)).epoch()).isEqualTo(grant.epoch());
    }

    @Test
    void anEvictedRecordIsGoneAndItsValueIsNot() {
        Token token = new Token(1, 1);
        Grant grant = grant(token);
        ask(new Step.Commit("k0", grant, draft("value")));
        long written = ((Reading.Found) read()).entry().writtenAt();
        world.at(world.now(), () -> server.evict("k0", false, true));
        world.pass(0);
        assertThat(read())
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.entry().writtenAt()).isEqualTo(written));
        assertThat(ask(new Step.Commit("k0", grant, draft("again")))).isEqualTo(Committed.REJECTED);
    }

    @Test
    void aFrozenStoreAnswersAfterwardsAndARequestForALeaseThatIsTooLateHasNoEffect() {
        List<Object> answers = new ArrayList<>();
        world.at(0, () -> {
            server.freeze(5 * SECOND);
            server.handle("client", SECOND, new Step.Read(List.of("k0")), (answer, clock) -> answers.add(answer));
            server.handle(
                    "client",
                    SECOND,
                    new Step.Acquire("k0", new Token(1, 1), LONG, null),
                    (answer, clock) -> answers.add(answer));
        });
        world.pass(4 * SECOND);
        assertThat(answers).isEmpty();
        world.pass(2 * SECOND);
        assertThat(answers).hasSize(1);
        assertThat(monitor.isLeased("k0", Server.wallMillis(world.now()))).isFalse();
    }

    @Test
    void aFlushLeavesNothing() {
        ask(new Step.Put("k0", new Token(1, 1), draft("old")));
        world.at(world.now(), server::flush);
        world.pass(0);
        assertThat(read()).isInstanceOf(Reading.Missing.class);
    }
}
