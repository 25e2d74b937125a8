package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;

/** {@code kill -9} of the node that loads, while callers of the other one wait for it. */
final class LeaderKilled implements Fault {
    private static final int HOT = 4;

    @Override
    public String name() {
        return "The leader is killed while it loads (`kill -9`)";
    }

    @Override
    public String promise() {
        return "one more load; callers elsewhere are served within 2.5 s and the load's time";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        String key = keys + "loading";
        rig.traffic(hot, HOT, rig.a(), rig.b());
        rig.holdUp(rig.a(), key);
        String waiting = rig.b().read(key, 20);
        long struck = System.nanoTime();
        rig.a().kill();
        rig.ledger.open(key); // what the dead one has begun goes on in the database, and nobody hears of its end
        List<Call> served = rig.answers(rig.b(), key, waiting, 20);
        rig.restartA();
        List<Call> afterRestart = rig.read(rig.a(), key, Rig.FEW);
        rig.quiet();
        assertThat(served)
                .extracting(Call::load)
                .containsOnly(afterRestart.get(0).load());
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        return verdict.waiting(call -> call.node().equals(rig.b().name))
                .check(
                        new LoadBudget().allowEach(hot, HOT, 1).allow(key, 1 + 1),
                        NodeSettings.LEADER_LOST.plus(verdict.longestLoad()));
    }
}
