package dev.corral.lab.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = {"Prints a completion script for bash and zsh.", "Use it with: source <(./corral completion)"})
final class CompletionCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        terminal.out().print(AutoComplete.bash(root.getCommandName(), root));
        terminal.out().flush();
    }
}
