package dev.corral.simulator;

import java.util.SplittableRandom;

/** One direction of one connection. What is sent arrives in order, later, or not at all. */
final class Wire {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    /** A message that takes longer than this counts as a fault. */
    static final long USUAL = 80 * MILLISECOND;

    private final World world;
    private final Runnable onTrouble;
    private final SplittableRandom luck;
    private final long usual;
    private final double spikes;
    private final double loss;
    private long lastArrival;
    private long blockedUntil;
    private boolean drops;
    private boolean healed;

    Wire(World world, String name, long usual, double spikes, double loss, Runnable onTrouble) {
        this.world = world;
        this.luck = world.random("wire " + name);
        this.usual = usual;
        this.spikes = spikes;
        this.loss = loss;
        this.onTrouble = onTrouble;
    }

    /** A partition in this direction: what is sent is lost, or waits for its end. */
    void block(long nanos, boolean dropping) {
        blockedUntil = Math.max(blockedUntil, world.now() + nanos);
        drops = dropping;
    }

    /** From now on it is a good one. */
    void heal() {
        blockedUntil = 0;
        healed = true;
    }

    /** Another connection owes nothing to the order of the old one. */
    void reconnect() {
        lastArrival = 0;
    }

    void carry(Life receiver, Runnable arrival) {
        boolean blocked = blockedUntil > world.now();
        if ((blocked && drops) || (!healed && luck.nextDouble() < loss)) {
            onTrouble.run();
            return;
        }
        long delay = usual / 2 + luck.nextLong(usual) + (luck.nextInt(10) == 0 ? luck.nextLong(5 * usual) : 0);
        if (!healed && luck.nextDouble() < spikes) {
            delay += luck.nextLong(900 * MILLISECOND);
        }
        long arrives = Math.max(blocked ? blockedUntil : 0, world.now()) + delay;
        arrives = Math.max(arrives, lastArrival + MICROSECOND);
        lastArrival = arrives;
        if (arrives - world.now() > USUAL) {
            onTrouble.run();
        }
        world.at(receiver, arrives, arrival);
    }
}
