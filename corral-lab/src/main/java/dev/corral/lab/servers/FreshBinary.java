package dev.corral.lab.servers;

import java.io.IOException;
import java.time.Duration;

/**
 * Starts a program whose file has only just been written. When another thread starts a process at that moment, its child
 * holds the file open for a moment longer, and the system refuses to run what somebody may write to.
 */
final class FreshBinary {
    private static final String BUSY = "error=26"; // ETXTBSY

    private FreshBinary() {}

    /** Tries again for up to that long while the file is busy, with a pause in between. */
    static Process start(ProcessBuilder program, Duration limit, Runnable pause) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                return program.start();
            } catch (IOException e) {
                boolean busy = e.getMessage() != null && e.getMessage().contains(BUSY);
                if (!busy || System.nanoTime() - start > limit.toNanos()) {
                    throw e;
                }
                pause.run();
            }
        }
    }
}
