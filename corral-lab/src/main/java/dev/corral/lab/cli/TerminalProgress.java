package dev.corral.lab.cli;

import dev.corral.lab.race.Progress;
import java.io.PrintStream;

/** Progress on a terminal, where the live line is overwritten, or in a file, where it is left out. */
final class TerminalProgress implements Progress {
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream err;
    private final boolean interactive;
    private boolean liveShown;

    TerminalProgress(Terminal terminal) {
        this.err = terminal.err();
        this.interactive = terminal.interactive();
    }

    @Override
    public synchronized void say(String line) {
        clear();
        err.println(line);
        err.flush();
    }

    @Override
    public synchronized void live(String line) {
        if (!interactive) {
            return;
        }
        clear();
        err.print(line);
        err.flush();
        liveShown = !line.isEmpty();
    }

    private void clear() {
        if (liveShown) {
            err.print(CLEAR_LINE);
            liveShown = false;
        }
    }
}
