package dev.corral.lab.report;

import dev.corral.simulator.plan.Plan;
import dev.corral.simulator.plan.PlanResult;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Says in a sentence what came of a simulation: from what was measured, not from what should have come of it. */
public final class PlanInWords {
    private static final double HARDLY_ANYBODY = 1e-4;

    private PlanInWords() {}

    /** One strategy. */
    public static String of(PlanResult result) {
        return result.strategy() + ": " + loads(result) + "; " + readers(result) + refreshed(result) + ".";
    }

    private static String loads(PlanResult result) {
        if (result.loads() == 0) {
            return "no load was seen; a longer --for shows some";
        }
        return "%s loads per TTL, at most %s at once"
                .formatted(Numbers.mean(result.loadsPerTtl()), Numbers.count(result.maxConcurrentLoads()));
    }

    private static String readers(PlanResult result) {
        String without = result.unansweredShare() == 0
                ? ""
                : ", " + Numbers.smallPercent(result.unansweredShare()) + " got no value";
        if (result.waitedShare() == 0) {
            return "nobody waited" + without;
        }
        String who = result.waitedShare() < HARDLY_ANYBODY ? "hardly anybody waited" : "some waited";
        return who + " (" + Numbers.smallPercent(result.waitedShare()) + ", P99.9 " + Numbers.time(result.p999WaitMs())
                + ")" + without;
    }

    private static String refreshed(PlanResult result) {
        return result.earlyShare() == 0
                ? ""
                : "; refreshed %s before expiry".formatted(Numbers.time(result.meanLeadSeconds() * 1_000));
    }

    /** All of them. */
    public static String of(Plan plan) {
        List<PlanResult> results = plan.results();
        String took = "%s of virtual time for each, %.1f s in all"
                .formatted(Numbers.length(plan.settings().length()), plan.took().toMillis() / 1e3);
        if (results.size() < 2) {
            return took + ".";
        }
        PlanResult few = least(results, PlanResult::loadsPerTtl);
        PlanResult many = least(results, result -> -result.loadsPerTtl());
        double fewest = least(results, PlanInWords::troubled).waitedShare();
        return "Fewest loads: %s, %s per TTL, where %s has %s. Fewest waits: %s, %s. %s."
                .formatted(
                        few.strategy(),
                        Numbers.mean(few.loadsPerTtl()),
                        many.strategy(),
                        Numbers.mean(many.loadsPerTtl()),
                        withFewest(results),
                        fewest == 0 ? "none" : Numbers.smallPercent(fewest),
                        took);
    }

    private static String withFewest(List<PlanResult> results) {
        double fewest = troubled(least(results, PlanInWords::troubled));
        return results.stream()
                .filter(result -> troubled(result) == fewest)
                .map(PlanResult::strategy)
                .collect(Collectors.joining(", "));
    }

    /** Readers that waited or got nothing. */
    private static double troubled(PlanResult result) {
        return result.waitedShare() + result.unansweredShare();
    }

    private static PlanResult least(List<PlanResult> results, ToDoubleFunction<PlanResult> what) {
        return results.stream().min(Comparator.comparingDouble(what)).orElseThrow();
    }
}
