package dev.corral.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines over an axis, as SVG that needs nothing else. Where a line has no number it is interrupted. */
final class Chart {
    private static final int LEFT = 56;
    private static final int RIGHT = 30;
    private static final int TOP = 28;
    private static final int BOTTOM = 36;

    private final String title;
    private final int width;
    private final int height;
    private final Axis across;
    private final Axis up;
    private final String unit;
    private final List<Line> lines = new ArrayList<>();

    /**
     * A chart without lines.
     *
     * @param unit what is written below the axis across
     */
    Chart(String title, int width, int height, Axis across, String unit, Axis up) {
        this.title = title;
        this.width = width;
        this.height = height;
        this.across = across;
        this.up = up;
        this.unit = unit;
    }

    /** A point of a line. */
    record Point(double across, double up) {}

    /**
     * A line.
     *
     * @param name empty if there is only one
     */
    record Line(String name, String colour, List<Point> points) {}

    Chart with(Line line) {
        lines.add(line);
        return this;
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(text(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-label=\"%s\" font-family=\"system-ui,sans-serif\" font-size=\"12\">%n",
                width, height, width, height, Html.text(title)));
        svg.append(text("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", width, height));
        svg.append(text(
                "<text x=\"%d\" y=\"16\" font-weight=\"600\" fill=\"#222222\">%s</text>%n", LEFT, Html.text(title)));
        grid(svg);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void grid(StringBuilder svg) {
        for (double tick : up.ticks()) {
            svg.append(text(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e3e3e3\"/>%n",
                    LEFT, width - RIGHT, y(tick), y(tick)));
            svg.append(text(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#666666\">%s</text>%n",
                    LEFT - 6, y(tick) + 4, Axis.text(tick)));
        }
        for (double tick : across.ticks()) {
            svg.append(text(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666666\">%s</text>%n",
                    x(tick), height - BOTTOM + 16, Axis.text(tick)));
        }
        svg.append(text(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#666666\">%s</text>%n",
                width - RIGHT, height - 4, Html.text(unit)));
    }

    private void draw(StringBuilder svg, Line line, int number) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (Point point : line.points()) {
            if (Double.isNaN(point.up())) {
                pen = false;
                continue;
            }
            path.append(text("%s%.1f %.1f", pen ? "L" : "M", x(point.across()), y(point.up())));
            pen = true;
        }
        svg.append(text(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>%n",
                path, line.colour()));
        if (!line.name().isEmpty()) {
            int x = LEFT + 8 + number * 110;
            svg.append(text(
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"3\" fill=\"%s\"/>"
                            + "<text x=\"%d\" y=\"%d\" fill=\"#222222\">%s</text>%n",
                    x, height - 9, line.colour(), x + 20, height - 4, Html.text(line.name())));
        }
    }

    private double x(double number) {
        return LEFT + across.place(number) * (width - LEFT - RIGHT);
    }

    private double y(double number) {
        return height - BOTTOM - up.place(number) * (height - TOP - BOTTOM);
    }

    private static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
