package dev.corral.lab.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Starts a program whose file has only just been written. When another thread starts a process at that moment, its child
 * holds the file open for a moment longer, and the system refuses to run what somebody may write to.
 */
final class FreshBinary {
    /** ETXTBSY, as JDK 17 says it ({@code error=26}) and as later ones do ({@code error: 26}). */
    private static final Pattern BUSY = Pattern.compile("error[=:] ?26\\b");

    private FreshBinary() {}

    /** Tries again for up to that long while the file is busy, with a pause in between. */
    static Process start(ProcessBuilder program, Duration limit, Runnable pause) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                return program.start();
            } catch (IOException e) {
                boolean busy =
                        e.getMessage() != null && BUSY.matcher(e.getMessage()).find();
                if (!busy || System.nanoTime() - start > limit.toNanos()) {
                    throw e;
                }
                pause.run();
            }
        }
    }
}
