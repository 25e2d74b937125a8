package dev.corral.lab.chaos;

import java.util.List;
import java.util.Random;

/** Something that happens to real processes, and what Corral has promised for it. */
interface Fault {

    /** As the page names it. */
    String name();

    /** What was promised, in a few words. */
    String promise();

    /**
     * Lets it happen, holds what follows against the promise, and leaves everything running again.
     *
     * @param keys what all its keys begin with
     * @param random for what the fault leaves open
     */
    Evidence strike(Rig rig, String keys, Random random);

    /** Each of them, in the page's order. */
    static List<Fault> all() {
        return List.of(
                new LeaderKilled(),
                new LeaderPaused(),
                new RedisFrozen(),
                new RedisKilled(),
                new RedisFlushed(),
                new RedisEvicting(),
                new NetworkSlow(),
                new NetworkLosing(),
                new NetworkCut(),
                new DatabaseKilled());
    }
}
