package dev.corral.simulator.plan;

/** Whose reads are simulated. */
interface Arrivals {
    /** The first reader may come. */
    void begin();

    /** Something has changed that the next reader depends on. */
    void changed();
}
