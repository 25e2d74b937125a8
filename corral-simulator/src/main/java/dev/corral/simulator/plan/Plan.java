package dev.corral.simulator.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Strategies side by side under one load.
 *
 * @param settings what was simulated
 * @param results in the order asked for
 * @param took in real time
 */
public record Plan(PlanSettings settings, List<PlanResult> results, Duration took) {
    /** Keeps its own list. */
    public Plan {
        results = List.copyOf(results);
    }

    /**
     * Simulates one after the other.
     *
     * @param begins hears of each when its turn comes
     */
    public static Plan of(PlanSettings settings, List<PlanStrategy> strategies, Consumer<PlanStrategy> begins) {
        long began = System.nanoTime();
        List<PlanResult> results = new ArrayList<>();
        for (PlanStrategy strategy : strategies) {
            begins.accept(strategy);
            results.add(PlanRun.of(settings, strategy));
        }
        return new Plan(settings, results, Duration.ofNanos(System.nanoTime() - began));
    }
}
