package dev.corral.lab.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code corral} itself: only its subcommands do something. */
@Command(
        name = "corral",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Stampede-proof caching: see the stampede, and each remedy at work.")
public final class CorralCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The whole command line, writing to this terminal. */
    public static CommandLine on(Terminal terminal) {
        CommandLine line = new CommandLine(new CorralCommand())
                .addSubcommand(new RaceCommand(terminal))
                .addSubcommand(new SimulateCommand(terminal))
                .addSubcommand(new CompletionCommand(terminal));
        OneLineErrors errors = new OneLineErrors();
        return line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setUsageHelpAutoWidth(true);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: race, simulate or completion");
    }
}
