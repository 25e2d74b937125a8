package dev.corral.lab.cli;

import dev.corral.lab.report.PlanInWords;
import dev.corral.lab.report.PlanJson;
import dev.corral.lab.report.PlanPage;
import dev.corral.lab.report.PlanTable;
import dev.corral.simulator.plan.Plan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Simulates strategies on more nodes than one machine has, and prints what came of it. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        sortOptions = false,
        description = {
            "Runs the real engine in virtual time: one hot key, as many nodes and readers as asked for, a store that "
                    + "answers at once, and a database that slows down as real ones do.",
            "The first ten times to live are not counted."
        })
final class SimulateCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private SimulateOptions options = new SimulateOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    SimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        SimulateOptions.Request asked = options.check(spec.commandLine());
        TerminalProgress progress = new TerminalProgress(terminal);
        Plan plan = Plan.of(
                asked.settings(), asked.strategies(), strategy -> progress.live("simulating " + strategy + " …"));
        progress.live("");
        options.json().ifPresent(file -> PlanJson.write(plan, file));
        options.report().ifPresent(file -> PlanPage.write(plan, file));
        if (options.jsonToOutput()) {
            terminal.out().println(PlanJson.text(plan));
        } else {
            print(plan);
        }
        terminal.out().flush();
    }

    private void print(Plan plan) {
        terminal.out().println();
        terminal.out().print(PlanTable.of(plan));
        terminal.out().println();
        plan.results().forEach(result -> terminal.out().println(PlanInWords.of(result)));
        terminal.out().println(PlanInWords.of(plan));
    }
}
