package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
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
        rig.ledger.shut(overtaken);
        rig.ledger.shut(invalidated);
        String late = rig.a().read(overtaken, 5);
        String lateToo = rig.a().read(invalidated, 5);
        rig.ledger.awaitLoads(overtaken, 1);
        rig.ledger.awaitLoads(invalidated, 1);
        String waiting = rig.b().read(overtaken, 20);

        long struck = System.nanoTime();
        rig.a().stop();
        rig.ledger.change(overtaken);
        assertThat(rig.change(rig.b(), invalidated).applied()).isTrue();
        String after = rig.b().read(invalidated, 5);
        rig.ledger.awaitLoads(invalidated, 2);
        rig.ledger.open(invalidated);
        rig.ledger.awaitLoads(overtaken, 2); // so the lease is lost
        rig.ledger.open(overtaken);
        assertNewest(rig.answers(rig.b(), overtaken, waiting, 20));
        assertNewest(rig.answers(rig.b(), invalidated, after, 5));

        rig.a().order("read " + invalidated + " 5"); // the first thing it does, beside the end of its load
        rig.a().goOn();
        assertNewest(rig.answers(rig.a(), invalidated, rig.a().begun(), 5));
        rig.answers(rig.a(), overtaken, late, 5);
        rig.answers(rig.a(), invalidated, lateToo, 5);
        for (Node node : rig.nodes()) {
            assertNewest(rig.read(node, overtaken, 5));
            assertNewest(rig.read(node, invalidated, 5));
        }
        rig.quiet();
        List<LoadRow> loads = rig.ledger.loads(keys);
        Duration longest = LoadRow.longest(
                loads.stream().filter(load -> load.node().equals(rig.b().name)).toList());
        Account account = rig.history.of(keys);
        Verdict verdict = new Verdict(
                this,
                account,
                account.only(call -> call.node().equals(rig.b().name)),
                struck,
                loads,
                new LoadBudget().allowEach(hot, HOT, 1).allow(overtaken, 1 + 1).allow(invalidated, 1 + 1),
                NodeSettings.LEADER_LOST.plus(longest),
                NodeSettings.NEAR);
        return verdict.check();
    }

    private static void assertNewest(Iterable<Call> calls) {
        assertThat(calls).allSatisfy(call -> assertThat(call.version()).isEqualTo(2));
    }
}
