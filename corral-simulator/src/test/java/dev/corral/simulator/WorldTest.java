package dev.corral.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Virtual time, coroutines, pauses, crashes. */
class WorldTest {
    private static final long SECOND = 1_000_000_000L;

    private final World world = new World(7);
    private final Life node = new Life("node");
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void end() {
        world.end();
    }

    private void note(String what) {
        seen.add(world.now() / SECOND + " " + what);
    }

    /** What happens while a coroutine waits does not hold up its return, nor that of others. */
    @Test
    void waitsDoNotNest() {
        world.begin(node, 0, () -> {
            Coroutine.current().pause(2 * SECOND);
            note("first");
        });
        world.begin(node, SECOND, () -> {
            Coroutine.current().pause(5 * SECOND);
            note("second");
        });
        world.at(3 * SECOND, () -> note("event"));
        world.pass(10 * SECOND);
        assertThat(seen).containsExactly("2 first", "3 event", "6 second");
    }

    @Test
    void unparkBeforeParkIsNotLost() {
        world.begin(node, 0, () -> {
            Coroutine.current().unpark(0);
            Coroutine.current().park(5 * SECOND);
            note("woken");
        });
        world.pass(10 * SECOND);
        assertThat(seen).containsExactly("0 woken");
    }

    @Test
    void anInterruptionEndsAWaitAndLeavesTheFlag() {
        Coroutine[] thread = new Coroutine[1];
        world.begin(node, 0, () -> {
            thread[0] = Coroutine.current();
            thread[0].park(9 * SECOND);
            note("interrupted " + Thread.interrupted());
        });
        world.at(2 * SECOND, () -> thread[0].interrupt());
        world.pass(10 * SECOND);
        assertThat(seen).containsExactly("2 interrupted true");
    }

    @Test
    void aPausedProcessDoesEverythingAfterwardsInItsOrder() {
        world.at(node, 2 * SECOND, () -> note("a"));
        world.at(node, 3 * SECOND, () -> note("b"));
        world.at(4 * SECOND, () -> note("elsewhere"));
        world.at(SECOND, () -> node.pause(world, 5 * SECOND));
        world.pass(10 * SECOND);
        assertThat(seen).containsExactly("4 elsewhere", "6 a", "6 b");
    }

    @Test
    void ofACrashedProcessNothingIsLeft() {
        world.begin(node, 0, () -> {
            Coroutine.current().pause(3 * SECOND);
            note("alive");
        });
        world.at(node, 2 * SECOND, () -> note("timer"));
        world.at(SECOND, () -> node.crash(world));
        world.pass(10 * SECOND);
        assertThat(seen).isEmpty();
        assertThat(node.coroutines).isEmpty();
    }

    /** Two runs of a seed are the same to the last event, whatever real threads did. */
    @Test
    void aSeedRepeatsItself() {
        for (long seed = 1; seed <= 30; seed++) {
            Run first = new Run(Scenario.draw(seed), true);
            Run second = new Run(Scenario.draw(seed), true);
            List<String> once = first.play().timeline();
            List<String> again = second.play().timeline();
            assertThat(again).as("seed %s", seed).isEqualTo(once);
            assertThat(second.world().done()).isEqualTo(first.world().done());
        }
    }
}
