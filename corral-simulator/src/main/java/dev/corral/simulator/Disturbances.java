package dev.corral.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Until when what was disturbed: the faults that a promise allows something for. */
final class Disturbances {
    private final Map<Object, Long> until = new HashMap<>();
    private final Map<Life, List<long[]>> pauses = new HashMap<>();
    private long everywhere = -1;

    /** Somebody: a process, a key, or anything else that has a name. */
    void disturb(Object whom, long instant) {
        until.merge(whom, instant, Math::max);
    }

    void disturbAll(long instant) {
        everywhere = Math.max(everywhere, instant);
    }

    void pause(Life life, long from, long to) {
        disturb(life, to);
        pauses.computeIfAbsent(life, l -> new ArrayList<>()).add(new long[] {from, to});
    }

    boolean since(Object whom, long instant) {
        return everywhere >= instant || until.getOrDefault(whom, -1L) >= instant;
    }

    /** How long a process stood still between two instants. */
    long paused(Life life, long from, long to) {
        long sum = 0;
        for (long[] pause : pauses.getOrDefault(life, List.of())) {
            sum += Math.max(0, Math.min(to, pause[1]) - Math.max(from, pause[0]));
        }
        return sum;
    }
}
