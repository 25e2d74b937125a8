package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;

/**
 * {@code SIGSTOP} of the node that loads, until it has lost its lease and another has loaded; then {@code SIGCONT}, and
 * its values come late. One key is only loaded anew meanwhile, the other is invalidated.
 */
final class LeaderPaused implements Fault {
    private static final int HOT = 4;

    @Override
    public String name() {
        return "The leader is stopped beyond its lease and goes on (`SIGSTOP`, `SIGCONT`)";
    }

    @Override
    public String promise() {
        return "one more load; nobody who asks afterwards gets its late value";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        String overtaken = keys + "overtaken";
        String invalidated = keys + "invalidated";
        rig.traffic(hot, HOT, rig.b()); // only there: a stopped node's own steps have timed out when it goes on
        String late = rig.holdUp(rig.a(), overtaken);
        String lateToo = rig.holdUp(rig.a(), invalidated);
        String waiting = rig.b().read(overtaken, 20);

        long struck = System.nanoTime();
        rig.a().stop();
        rig.ledger.change(overtaken);
        assertThat(rig.change(rig.b(), invalidated).applied()).isTrue();
        String after = rig.b().read(invalidated, Rig.FEW);
        rig.ledger.awaitLoads(invalidated, 2);
        rig.ledger.open(invalidated);
        rig.ledger.awaitLoads(overtaken, 2); // so the lease is lost
        rig.ledger.open(overtaken);
        Rig.assertChanged(rig.answers(rig.b(), overtaken, waiting, 20));
        Rig.assertChanged(rig.answers(rig.b(), invalidated, after, Rig.FEW));

        rig.a().order("read " + invalidated + " " + Rig.FEW); // the first thing it does, beside the end of its load
        rig.a().goOn();
        Rig.assertChanged(rig.answers(rig.a(), invalidated, rig.a().begun(), Rig.FEW));
        rig.answers(rig.a(), overtaken, late, Rig.FEW);
        rig.answers(rig.a(), invalidated, lateToo, Rig.FEW);
        for (Node node : rig.nodes()) {
            Rig.assertChanged(rig.read(node, overtaken, Rig.FEW));
            Rig.assertChanged(rig.read(node, invalidated, Rig.FEW));
        }
        rig.quiet();
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        Duration longest = verdict.longestLoad(load -> load.node().equals(rig.b().name));
        return verdict.waiting(call -> call.node().equals(rig.b().name))
                .check(
                        new LoadBudget()
                                .allowEach(hot, HOT, 1)
                                .allow(overtaken, 1 + 1)
                                .allow(invalidated, 1 + 1),
                        NodeSettings.LEADER_LOST.plus(longest));
    }
}
