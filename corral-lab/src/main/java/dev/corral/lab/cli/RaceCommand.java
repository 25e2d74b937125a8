package dev.corral.lab.cli;

import dev.corral.lab.race.Race;
import dev.corral.lab.race.RaceResult;
import dev.corral.lab.race.RaceSettings;
import dev.corral.lab.race.StrategyResult;
import dev.corral.lab.report.InWords;
import dev.corral.lab.report.JsonReport;
import dev.corral.lab.report.ResultTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Races the strategies and prints what was seen. */
@Command(
        name = "race",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        sortOptions = false,
        description = {
            "Lets the strategies race on real servers: a shop with a popular page whose query is expensive, "
                    + "two application processes, Redis, PostgreSQL, and steady load while the page's cache entry expires.",
            "Starts Redis and PostgreSQL itself, on loopback, and removes them at the end."
        })
final class RaceCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private RaceOptions options = new RaceOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RaceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        RaceSettings settings = options.check(spec.commandLine());
        TerminalProgress progress = new TerminalProgress(terminal);
        Race race = new Race(settings, progress, strategy -> progress.say(InWords.of(strategy)));
        RaceResult result = race.run();
        options.json().ifPresent(file -> JsonReport.write(result, file));
        print(result);
    }

    private void print(RaceResult result) {
        terminal.out().println();
        terminal.out().print(ResultTable.of(result));
        terminal.out().println();
        for (StrategyResult strategy : result.strategies()) {
            terminal.out().println(InWords.of(strategy));
        }
        terminal.out()
                .println("Q is %d ms, the TTL %.1f s; queries counted by %s; %d s in all."
                        .formatted(
                                result.calibration().queryAlone().toMillis(),
                                result.ttl().toMillis() / 1e3,
                                result.counting(),
                                result.took().toSeconds()));
        terminal.out().flush();
    }
}
