package dev.corral.lab.cli;

import java.io.IOException;
import java.io.PrintStream;

/**
 * Where the command line writes.
 *
 * @param out results
 * @param err progress and errors
 * @param interactive whether somebody watches {@code err}, on a terminal that can overwrite a line
 */
public record Terminal(PrintStream out, PrintStream err, boolean interactive) {

    /** The process's own streams. */
    public static Terminal system() {
        boolean dumb = "dumb".equals(System.getenv("TERM"));
        return new Terminal(System.out, System.err, !dumb && errIsTerminal());
    }

    /** Java itself only tells about standard input and output together, and from version 22 on not even that. */
    private static boolean errIsTerminal() {
        try {
            return new ProcessBuilder("sh", "-c", "test -t 2")
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
