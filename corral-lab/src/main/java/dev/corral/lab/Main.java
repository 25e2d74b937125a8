package dev.corral.lab;

import dev.corral.lab.cli.CorralCommand;
import dev.corral.lab.cli.Terminal;

/** The {@code corral} command line: arguments and streams in, exit code out. 0 ok, 1 failed, 2 wrongly used. */
public final class Main {
    private final Terminal terminal;

    /** A command line on this terminal. */
    public Main(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Runs, and ends the process with the exit code. */
    public static void main(String[] arguments) {
        System.exit(new Main(Terminal.system()).run(arguments));
    }

    /** Runs, and returns the exit code. */
    public int run(String... arguments) {
        return CorralCommand.on(terminal).execute(arguments);
    }
}
