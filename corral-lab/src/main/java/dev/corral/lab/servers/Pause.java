package dev.corral.lab.servers;

import dev.corral.lab.LabException;

/** Waiting between two looks at something outside this process. */
public final class Pause {
    private Pause() {}

    /** Sleeps; an interrupt ends the run. */
    public static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }
}
