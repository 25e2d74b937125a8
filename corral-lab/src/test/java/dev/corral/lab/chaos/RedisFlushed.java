package dev.corral.lab.chaos;

import java.time.Duration;
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
        String leading = rig.holdUp(rig.a(), key);
        long struck = System.nanoTime();
        rig.redis.flush();
        String others = rig.b().read(key, Rig.FEW);
        rig.ledger.awaitLoads(key, 2);
        rig.ledger.open(key);
        rig.answers(rig.a(), key, leading, Rig.FEW);
        rig.answers(rig.b(), key, others, Rig.FEW);
        for (int i = 0; i < HOT; i++) {
            rig.ledger.awaitLoads(hot + i, 2); // once the near tiers have to ask again
        }
        rig.quiet();
        Verdict verdict = Verdict.of(this, rig, keys, struck);
        Duration longest = verdict.longestLoad(load -> load.key().startsWith(hot));
        return verdict.waiting(call -> call.key().startsWith(hot))
                .check(
                        new LoadBudget().allowEach(hot, HOT, 1 + 1).allow(key, 1 + 1),
                        longest.multipliedBy(2)); // one that has the permit, for eight keys want four, and its own
    }
}
