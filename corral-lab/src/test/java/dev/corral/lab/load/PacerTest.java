package dev.corral.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Open loop: the schedule does not wait for anybody. */
class PacerTest {
    private static final long MILLI = 1_000_000;

    @Test
    void requestsLeaveEvenly() {
        long[] now = {0};
        List<Long> sent = new ArrayList<>();
        Pacer pacer = new Pacer(new Schedule(10 * MILLI, 100), () -> now[0], nanos -> now[0] += nanos);

        pacer.run(() -> sent.size() == 4, intended -> sent.add(now[0]));

        assertThat(sent).containsExactly(10 * MILLI, 20 * MILLI, 30 * MILLI, 40 * MILLI);
    }

    @Test
    void afterAStallTheMissedRequestsLeaveAtOnceWithTheirIntendedTimes() {
        long[] now = {0};
        List<Long> intendedTimes = new ArrayList<>();
        Pacer pacer = new Pacer(new Schedule(0, 100), () -> now[0], nanos -> now[0] += nanos);

        pacer.run(() -> intendedTimes.size() == 5, intended -> {
            intendedTimes.add(intended);
            if (intendedTimes.size() == 2) {
                now[0] += 25 * MILLI; // a stall
            }
        });

        assertThat(intendedTimes).containsExactly(0L, 10 * MILLI, 20 * MILLI, 30 * MILLI, 40 * MILLI);
        assertThat(now[0]).as("it has caught up").isEqualTo(40 * MILLI);
    }

    @Test
    void itStopsWhenTold() {
        List<Long> sent = new ArrayList<>();
        new Pacer(new Schedule(0, 1), () -> 0, nanos -> {}).run(() -> true, sent::add);
        assertThat(sent).isEmpty();
    }
}
