package dev.corral.simulator.plan;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;

/** Hears what processes ask of the store, and loads for them. */
interface Watch {
    /** The loader, on a coroutine of the world. */
    Value load(Node process, int copies) throws InterruptedException;

    /** The store has answered a question for the right to load. */
    void asked(Node process, boolean forLease, Acquisition answer);

    /** The store has answered a commit. */
    void committed(Node process, Draft entry, Committed answer);

    /** A process has given its right to load up. */
    void gaveUp(Node process);
}
