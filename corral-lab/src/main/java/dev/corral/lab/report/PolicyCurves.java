package dev.corral.lab.report;

import dev.corral.lab.report.Chart.Line;
import dev.corral.lab.report.Chart.Point;
import dev.corral.simulator.plan.DatabaseSize;
import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;
import dev.corral.simulator.plan.PlanSettings;
import dev.corral.simulator.plan.PlanStrategy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The early refresh policies side by side: the tables and curves of {@code docs/early-refresh.md}. */
public final class PolicyCurves {
    private static final List<Integer> NODES = List.of(1, 10, 100);
    private static final List<Integer> RATES = List.of(1, 10, 100, 1_000, 10_000);
    private static final List<String> POLICIES = List.of("xfetch", "simple", "adaptive");
    private static final List<String> COLOURS = List.of("#1b6ca8", "#b3541e", "#3a7d44");
    private static final double VARIES = 0.5;
    private static final int DRAWN_NODES = 10;

    private final Duration length;
    private final PrintStream out;

    private PolicyCurves(Duration length, PrintStream out) {
        this.length = length;
        this.out = out;
    }

    /**
     * Prints the tables, and writes the curves to a folder.
     *
     * @param arguments the folder
     */
    public static void main(String[] arguments) throws IOException {
        new PolicyCurves(Duration.ofHours(10), System.out).write(Path.of(arguments[0]));
    }

    private record Cell(int nodes, int rate, PlanResult result) {}

    private void write(Path folder) throws IOException {
        List<Cell> even = table("Every load takes 1.2 s:", 0);
        List<Cell> uneven = table("Loads take from 0.6 to 1.8 s:", VARIES);
        draw(folder.resolve("early-refresh-loads.svg"), "loads per TTL, 10 nodes", even, PlanResult::loadsPerTtl);
        draw(
                folder.resolve("early-refresh-waits.svg"),
                "readers that wait, %, 10 nodes, loads of 0.6 to 1.8 s",
                uneven,
                result -> 100 * result.waitedShare());
    }

    private List<Cell> table(String title, double varies) {
        List<Cell> cells = new ArrayList<>();
        out.println(title);
        out.println();
        out.println("| nodes | reads/s | " + String.join(" | ", POLICIES) + " |");
        out.println("| --- ".repeat(2 + POLICIES.size()) + "|");
        for (int nodes : NODES) {
            for (int rate : RATES) {
                List<PlanResult> row = run(nodes, rate, varies);
                row.forEach(result -> cells.add(new Cell(nodes, rate, result)));
                out.println("| %d | %s | %s |".formatted(nodes, Numbers.count(rate), text(row)));
            }
        }
        out.println();
        return cells;
    }

    private static String text(List<PlanResult> row) {
        return String.join(
                " | ",
                row.stream()
                        .map(result -> "%s · %s"
                                .formatted(
                                        Numbers.mean(result.loadsPerTtl()), Numbers.smallPercent(result.waitedShare())))
                        .toList());
    }

    private List<PlanResult> run(int nodes, int rate, double varies) {
        PlanSettings settings = new PlanSettings(
                nodes,
                rate,
                Duration.ofMinutes(1),
                Duration.ofMillis(1_200),
                varies,
                length,
                DatabaseSize.unlimited(),
                1);
        return Plan.of(settings, PlanStrategy.parseAll(String.join(",", POLICIES)), strategy -> {})
                .results();
    }

    private static void draw(Path file, String title, List<Cell> cells, ToDoubleFunction<PlanResult> figure)
            throws IOException {
        List<Cell> drawn =
                cells.stream().filter(cell -> cell.nodes() == DRAWN_NODES).toList();
        double most = drawn.stream()
                .mapToDouble(cell -> figure.applyAsDouble(cell.result()))
                .max()
                .orElse(1);
        Axis rates = new Axis(RATES.get(0), RATES.get(RATES.size() - 1), true);
        Chart chart = new Chart(title, 640, 320, rates, "reads a second", Axis.upTo(most));
        for (int i = 0; i < POLICIES.size(); i++) {
            String policy = POLICIES.get(i);
            List<Point> points = drawn.stream()
                    .filter(cell -> cell.result().strategy().equals(policy))
                    .map(cell -> new Point(cell.rate(), figure.applyAsDouble(cell.result())))
                    .toList();
            chart.with(new Line(policy, COLOURS.get(i), points));
        }
        Files.writeString(file, chart.svg());
    }
}
