package dev.corral.lab.report;

import dev.corral.lab.LabException;
import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;
import dev.corral.simulator.plan.PlanSeries.Point;
import dev.corral.simulator.plan.PlanSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A simulation as one page that needs nothing else: what happened over time, a row of charts for each strategy. */
public final class PlanPage {
    private static final int WIDTH = 420;
    private static final int HEIGHT = 200;

    private PlanPage() {}

    /** Writes it. */
    public static void write(Plan plan, Path file) {
        try {
            Files.writeString(file, of(plan));
        } catch (IOException e) {
            throw new LabException("--report: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    static String of(Plan plan) {
        StringBuilder page = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>corral simulate</title>
                <style>
                body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem; }
                h2 { margin: 2rem 0 0; font-size: 1.1rem; }
                p { margin: .3rem 0 .8rem; max-width: 60rem; }
                pre { font-size: 13px; overflow-x: auto; }
                .charts { display: flex; flex-wrap: wrap; gap: .5rem; }
                </style>
                </head>
                <body>
                <h1>corral simulate</h1>
                """);
        page.append("<p>").append(Html.text(setting(plan.settings()))).append("</p>\n");
        page.append("<pre>").append(Html.text(PlanTable.of(plan))).append("</pre>\n");
        page.append("<p>").append(Html.text(PlanInWords.of(plan))).append("</p>\n");
        plan.results().forEach(result -> section(page, plan, result));
        return page.append("</body>\n</html>\n").toString();
    }

    private static String setting(PlanSettings settings) {
        return "%d nodes, %s reads a second, a TTL of %s, loads of %s, database %s, seed %d."
                .formatted(
                        settings.nodes(),
                        Numbers.count(Math.round(settings.rate())),
                        Numbers.length(settings.ttl()),
                        Numbers.length(settings.load()),
                        settings.database(),
                        settings.seed());
    }

    private static void section(StringBuilder page, Plan plan, PlanResult result) {
        page.append("<h2>").append(Html.text(result.strategy())).append("</h2>\n");
        page.append("<p>").append(Html.text(PlanInWords.of(result))).append("</p>\n<div class=\"charts\">\n");
        double ttl = plan.settings().ttl().toMillis() / 1e3;
        page.append(chart(result, "loads at once", "#1b6ca8", 0, point -> (double) point.loads()));
        page.append(chart(result, "readers that wait, %", "#b3541e", 0, point -> 100 * point.waitingShare()));
        page.append(chart(result, "age of what is served, s", "#3a7d44", ttl, Point::ageSeconds));
        page.append("</div>\n");
    }

    /** Each to its own scale, as a stampede would flatten the others, that reaches at least that high. */
    private static String chart(
            PlanResult result, String title, String colour, double least, ToDoubleFunction<Point> figure) {
        List<Point> points = result.series().points();
        double length = points.isEmpty() ? 1 : points.get(points.size() - 1).seconds();
        double most = points.stream()
                .mapToDouble(figure)
                .filter(number -> !Double.isNaN(number))
                .max()
                .orElse(1);
        Chart chart = new Chart(
                title, WIDTH, HEIGHT, new Axis(0, length, false), "seconds", Axis.upTo(Math.max(most, least)));
        return chart.with(new Chart.Line(
                        "",
                        colour,
                        points.stream()
                                .map(point -> new Chart.Point(point.seconds(), figure.applyAsDouble(point)))
                                .toList()))
                .svg();
    }
}
