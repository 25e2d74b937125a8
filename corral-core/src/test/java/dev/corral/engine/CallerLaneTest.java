package dev.corral.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.testkit.VirtualWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue of a waiting caller, at the moments when it is not waiting. */
class CallerLaneTest {
    private final VirtualWorld world = new VirtualWorld();
    private final CallerLane lane = new CallerLane(world.platform());
    private final List<String> ran = new ArrayList<>();

    /** Runs what there is to run. */
    private void drain() {
        ran.remove("end");
        lane.drainUntil(() -> ran.contains("end"), world::now, () -> ran.add("end"));
    }

    @Test
    void tasksComeBeforeTheLoader() {
        lane.offer(() -> ran.add("loader"), () -> ran.add("otherwise"));
        lane.execute(() -> ran.add("task"));
        drain();

        assertThat(ran).containsExactly("task", "loader", "end");
    }

    @Test
    void oneLoaderAtATime() {
        assertThat(lane.offer(() -> {}, () -> {})).isTrue();
        assertThat(lane.offer(() -> {}, () -> {})).isFalse();
        drain();
        assertThat(lane.offer(() -> {}, () -> {})).isTrue();
    }

    @Test
    void loadersInTurnRunOneAfterTheOther() {
        lane.offerInTurn(
                () -> {
                    ran.add("first begins");
                    assertThat(lane.offerInTurn(() -> ran.add("third"), () -> {}))
                            .isTrue();
                    ran.add("first ends");
                },
                () -> {});
        lane.offerInTurn(() -> ran.add("second"), () -> {});
        assertThat(lane.offer(() -> ran.add("alone"), () -> {})).isFalse();
        drain();

        assertThat(ran).containsExactly("first begins", "first ends", "second", "third", "end");
    }

    @Test
    void whileTheThreadIsInsideALoaderTasksRunElsewhere() {
        List<Thread> threads = new ArrayList<>();
        lane.offer(
                () -> {
                    assertThat(lane.offer(() -> {}, () -> {})).isFalse();
                    lane.execute(() -> threads.add(Thread.currentThread()));
                    world.settle();
                    ran.add("loader ends");
                },
                () -> {});
        drain();

        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void whatIsLeftWhenTheCallerLeavesGoesElsewhere() {
        lane.execute(() -> ran.add("task"));
        lane.offer(() -> ran.add("loader"), () -> ran.add("otherwise"));
        lane.offerInTurn(() -> ran.add("second"), () -> ran.add("second otherwise"));

        lane.leave();
        world.settle();

        assertThat(ran).containsExactlyInAnyOrder("task", "otherwise", "second otherwise");
        assertThat(lane.offer(() -> {}, () -> {})).isFalse();
        assertThat(lane.offerInTurn(() -> {}, () -> {})).isFalse();
        lane.execute(() -> ran.add("later"));
        world.settle();
        assertThat(ran).contains("later");
    }

    @Test
    void aLoaderThatThrowsFreesTheLane() {
        lane.offer(
                () -> {
                    throw new IllegalStateException("loader");
                },
                () -> {});
        try {
            drain();
        } catch (IllegalStateException e) {
            ran.add(e.getMessage());
        }
        assertThat(ran).containsExactly("loader");
        assertThat(lane.offer(() -> {}, () -> {})).isTrue();
    }
}
