package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.testkit.Relay.Direction;
import java.time.Duration;
import java.util.Random;

/**
 * Nothing that a node and Redis say to each other arrives, and no connection is closed. The node is loading at that time;
 * the other one invalidates that key, and both invalidate others.
 */
final class NetworkLosing implements Fault {
    private static final int HOT = 4;

    @Override
    public String name() {
        return "The network between a node and Redis loses everything for a while";
    }

    @Override
    public String promise() {
        return "no errors; the other node notices nothing; the lost one loads for itself, ends with its near TTL what it"
                + " has, stores nothing late, and delivers its invalidations afterwards";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        String key = keys + "loading";
        String leased = keys + "leased";
        rig.traffic(hot, HOT, rig.a(), rig.b());
        String leading = rig.holdUp(rig.a(), key);
        String leadingToo = rig.holdUp(rig.a(), leased);
        long struck = System.nanoTime();
        rig.relay.lose(Direction.TO_SERVER);
        rig.relay.lose(Direction.TO_CLIENT);

        assertThat(rig.change(rig.b(), key).applied()).isTrue();
        String others = rig.b().read(key, Rig.FEW);
        rig.ledger.awaitLoads(key, 2);
        String waiting = rig.b().read(leased, Rig.FEW);
        Write unheard = rig.change(rig.b(), hot + 0);
        assertThat(unheard.applied()).isTrue();
        Write queued = rig.change(rig.a(), hot + 1);
        assertThat(queued.delivery()).isEqualTo(Delivery.QUEUED);
        String late = rig.a().read(key, Rig.FEW); // they join a load that began before the invalidation
        rig.ledger.awaitLoads(leased, 2); // once the lease is over that nobody renews
        rig.ledger.open(leased);
        rig.ledger.open(key);
        rig.answers(rig.b(), key, others, Rig.FEW);
        rig.answers(rig.a(), key, leading, Rig.FEW);
        Rig.assertChanged(rig.answers(rig.a(), key, late, Rig.FEW));
        rig.answers(rig.b(), leased, waiting, Rig.FEW);
        rig.answers(rig.a(), leased, leadingToo, Rig.FEW);
        rig.awaitVersion(rig.a(), hot + 0, unheard.version(), 0);
        rig.awaitVersion(rig.a(), hot + 1, queued.version(), queued.ended());
        for (int i = 0; i < HOT; i++) {
            rig.ledger.awaitLoads(hot + i, "a%", struck, 1);
        }
        Rig.assertChanged(rig.read(rig.a(), key, Rig.FEW));

        rig.relay.mend();
        rig.awaitStore();
        rig.awaitVersion(rig.b(), hot + 1, queued.version(), 0);
        Duration lost = Duration.ofNanos(System.nanoTime() - struck);
        for (Node node : rig.nodes()) {
            Rig.assertChanged(rig.read(node, key, Rig.FEW));
        }
        rig.quiet();

        long alone = 2 + lost.dividedBy(NodeSettings.NEAR); // what the lost node may load for itself
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        Duration longest = verdict.longestLoad(load -> load.key().startsWith(hot));
        return verdict.waiting(call -> call.key().startsWith(hot))
                .allowingStale(NodeSettings.NEAR.plus(longest)) // it may be loading when the other one invalidates
                .check(
                        new LoadBudget()
                                .allowEach(hot, HOT, 1 + alone)
                                .allow(hot + 0, 1)
                                .allow(hot + 1, 2) // itself, and its replay
                                .allow(key, 1 + 1 + alone)
                                .allow(leased, 1 + 1 + alone),
                        NodeSettings.STORE_TIMEOUT.multipliedBy(2).plus(longest));
    }
}
