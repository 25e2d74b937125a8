package dev.corral.lab.chaos;

import java.io.IOException;
import java.util.Random;

/** Lets one fault after the other strike the same rig, and puts it in order again where one has failed. */
final class Chaos implements AutoCloseable {
    private final Rig rig;
    private final Random random;
    private int strikes;

    Chaos(Random random) throws IOException {
        this.random = random;
        this.rig = new Rig();
    }

    /** Ends with both nodes as good as new. */
    Evidence strike(Fault fault) {
        String keys = fault.getClass().getSimpleName() + ++strikes + "-";
        long began = System.nanoTime();
        boolean kept = false;
        try {
            Evidence evidence = fault.strike(rig, keys, random);
            rig.assertConverged(keys);
            kept = true;
            System.out.printf("chaos: %.1f s %s%n", (System.nanoTime() - began) / 1e9, evidence.row());
            return evidence;
        } finally {
            rig.history.clear();
            if (!kept) {
                rig.heal();
            }
        }
    }

    /** What the figures were measured on. */
    String machine() {
        return Runtime.getRuntime().availableProcessors() + " cores for everything; Java "
                + System.getProperty("java.version") + ", Redis " + rig.redis.version() + ", PostgreSQL "
                + rig.ledger.version() + ".";
    }

    @Override
    public void close() {
        rig.close();
    }
}
