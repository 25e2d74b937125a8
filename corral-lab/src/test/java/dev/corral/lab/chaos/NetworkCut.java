package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay.Direction;
import java.time.Duration;
import java.util.Random;

/** The connections of a node break in the middle of what is being said, again and again, while it invalidates. */
final class NetworkCut implements Fault {
    private static final int HOT = 4;
    private static final int CUTS = 6;
    private static final int MOST_BYTES = 400;

    @Override
    public String name() {
        return "The network between a node and Redis is cut at some byte, six times";
    }

    @Override
    public String promise() {
        return "no errors; 2.5 s and the load, should the grant of a lease be cut off; what may have been lost with the"
                + " connection is invalidated again";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        rig.traffic(hot, HOT, rig.a(), rig.b());
        LoadBudget budget = new LoadBudget().allowEach(hot, HOT, 1);
        long struck = System.nanoTime();
        for (int cut = 0; cut < CUTS; cut++) {
            Direction direction = random.nextBoolean() ? Direction.TO_SERVER : Direction.TO_CLIENT;
            String key = hot + cut % HOT;
            rig.relay.cutAfter(direction, random.nextInt(MOST_BYTES));
            Write write = rig.change(rig.a(), key);
            Patience.until("the connection is cut", rig.relay::hasCut);
            rig.relay.mend();
            rig.awaitStore();
            for (Node node : rig.nodes()) {
                rig.awaitVersion(node, key, write.version(), write.ended());
            }
            budget.allow(key, 1 + CUTS - cut); // itself, and its replay after each loss of the store
        }
        Duration lasted = Duration.ofNanos(System.nanoTime() - struck);
        rig.quiet();
        budget.allowEach(hot, HOT, CUTS + 1 + lasted.dividedBy(NodeSettings.NEAR)); // alone, while it has no connection
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        return verdict.check(budget, NodeSettings.LEADER_LOST.plus(verdict.longestLoad()));
    }
}
