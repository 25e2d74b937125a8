package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Redis is away for both nodes, for long enough that they load without it and that one of them invalidates. */
abstract class RedisAway implements Fault {
    private static final int HOT = 8;

    private final int timeOuts;

    /**
     * @param timeOuts of the store, that a caller may have to wait for
     */
    RedisAway(int timeOuts) {
        this.timeOuts = timeOuts;
    }

    abstract void leave(ChaosRedis redis);

    abstract void comeBack(ChaosRedis redis);

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        String changed = hot + random.nextInt(HOT);
        rig.traffic(hot, HOT, rig.a(), rig.b());
        long struck = System.nanoTime();
        leave(rig.redis);
        rig.ledger.awaitLoads(hot, "a%", struck, HOT);
        rig.ledger.awaitLoads(hot, "b%", struck, HOT);
        Write queued = rig.change(rig.a(), changed);
        assertThat(queued.delivery()).isEqualTo(Delivery.QUEUED);
        rig.awaitVersion(rig.a(), changed, queued.version(), queued.ended());
        rig.ledger.awaitLoads(hot, "a%", queued.ended(), HOT);
        rig.ledger.awaitLoads(hot, "b%", queued.ended(), HOT);
        long back = System.nanoTime();
        comeBack(rig.redis);
        rig.awaitStore();
        Duration away = Duration.ofNanos(System.nanoTime() - struck);
        // By then the other node's near tier has nothing more of what it had loaded for itself.
        long asksAgain = System.nanoTime()
                + NodeSettings.NEAR.plus(NodeSettings.QUERY.multipliedBy(2)).toNanos();
        rig.awaitVersion(rig.b(), changed, queued.version(), asksAgain);
        rig.quiet();

        Verdict verdict = Verdict.of(this, rig, keys, struck);
        List<LoadRow> loads = verdict.loads();
        assertThat(LoadRow.mostAtOncePer(
                        load -> load.node() + load.key(),
                        loads.stream()
                                .filter(load -> !load.key().equals(changed))
                                .toList()))
                .as("loads of one key at once on a node")
                .isEqualTo(1);
        long perNode = 2 + away.dividedBy(NodeSettings.NEAR); // the near tier spares the rest
        Duration longest = verdict.longestLoad(); // and another may have the permit, for eight keys want four
        Map<Long, Long> began = loads.stream().collect(Collectors.toMap(LoadRow::id, LoadRow::began));
        assertThat(verdict.account()
                        .only(call -> call.began() > queued.ended() && call.began() < back)
                        .only(call -> began.getOrDefault(call.load(), 0L) > call.began())
                        .medianWait())
                .as("wait for a load of one's own, once it is known that Redis is away")
                .isLessThan(NodeSettings.STORE_TIMEOUT); // what everybody would pay if it were not known
        return verdict.check(
                // Cold before, cold after; the invalidation, and its replay.
                new LoadBudget().allowEach(hot, HOT, 1 + 2 * perNode + 1).allow(changed, 2),
                NodeSettings.STORE_TIMEOUT.multipliedBy(timeOuts).plus(longest.multipliedBy(2)));
    }
}
