package dev.corral.lab.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** {@code FLUSHALL} under load, while a key is being loaded: its lease is gone, and so are all values. */
final class RedisFlushed implements Fault {
    private static final int HOT = 8;

    @Override
    public String name() {
        return "Redis forgets everything under load (`FLUSHALL`)";
    }

    @Override
    public String promise() {
        return "one load for each key that is asked for, one more for a lease that was lost";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String hot = keys + "hot";
        String key = keys + "loading";
        rig.traffic(hot, HOT, rig.a(), rig.b());
        rig.ledger.shut(key);
        String leading = rig.a().read(key, 5);
        rig.ledger.awaitLoads(key, 1);
        long struck = System.nanoTime();
        rig.redis.flush();
        String others = rig.b().read(key, 5);
        rig.ledger.awaitLoads(key, 2);
        rig.ledger.open(key);
        rig.answers(rig.a(), key, leading, 5);
        rig.answers(rig.b(), key, others, 5);
        for (int i = 0; i < HOT; i++) {
            rig.ledger.awaitLoads(hot + i, 2); // once the near tiers have to ask again
        }
        rig.quiet();
        List<LoadRow> loads = rig.ledger.loads(keys);
        Duration longest = LoadRow.longest(
                loads.stream().filter(load -> load.key().startsWith(hot)).toList());
        Account account = rig.history.of(keys);
        Verdict verdict = new Verdict(
                this,
                account,
                account.only(call -> call.key().startsWith(hot)), // of the other the test decides when the load ends
                struck,
                loads,
                new LoadBudget().allowEach(hot, HOT, 1 + 1).allow(key, 1 + 1),
                longest.multipliedBy(2), // one that has the permit, for eight keys want four, and its own
                NodeSettings.NEAR);
        return verdict.check();
    }
}
