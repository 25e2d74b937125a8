package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;

/** What one node says to Redis and hears from it arrives late, but in time. */
final class NetworkSlow implements Fault {
    private static final int HOT = 4;
    private static final Duration DELAY = Duration.ofMillis(100);

    /** There and back; bytes may have to wait for those before them, each way. */
    private static final Duration STEP = DELAY.multipliedBy(4);

    @Override
    public String name() {
        return "The network between a node and Redis is slow (100 ms more each way)";
    }

    @Override
    public String promise() {
        return "one load for each key and invalidation; a caller waits for three steps and the load";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        rig.traffic(hot, HOT, rig.a(), rig.b());
        long struck = System.nanoTime();
        rig.relay.delay(DELAY);
        for (int i = 0; i < HOT; i++) {
            Write write = rig.change(rig.nodes().get(i % 2), hot + i);
            assertThat(write.applied()).isTrue();
            for (Node reader : rig.nodes()) {
                rig.awaitVersion(reader, hot + i, write.version(), write.ended());
            }
        }
        rig.relay.mend();
        rig.quiet();
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        return verdict.check(
                new LoadBudget().allowEach(hot, HOT, 1 + 1),
                STEP.multipliedBy(3).plus(verdict.longestLoad())); // read, ask, commit
    }
}
