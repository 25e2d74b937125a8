package dev.corral.lab.cli;

import dev.corral.lab.LabException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Errors on standard error in one line that says where to look; the exit code says whose fault it was. */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(OneLineErrors.class);

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        print(
                command,
                failure.getMessage() + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        LOG.debug("failed", failure);
        print(command, failure instanceof LabException ? String.valueOf(failure.getMessage()) : failure.toString());
        return ExitCode.SOFTWARE;
    }

    private static void print(CommandLine command, String message) {
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + Redaction.of(line));
    }
}
