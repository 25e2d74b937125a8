package dev.corral.simulator.plan;

import java.util.List;

/** How a strategy fared over time, from the beginning of the measurement on. */
public record PlanSeries(List<Point> points) {
    /** Keeps its own list. */
    public PlanSeries {
        points = List.copyOf(points);
    }

    /**
     * One short span.
     *
     * @param seconds when it ends
     * @param loads most loads at once
     * @param waitingShare the share of its readers that had to wait
     * @param ageSeconds how old the value is that is served at its end; not a number if there is none
     */
    public record Point(double seconds, long loads, double waitingShare, double ageSeconds) {}
}
