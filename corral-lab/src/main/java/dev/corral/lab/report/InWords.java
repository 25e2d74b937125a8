package dev.corral.lab.report;

import dev.corral.lab.race.StrategyResult;
import java.util.Collections;

/** Says in one sentence what was seen of a strategy: from what was measured, not from what it should do. */
public final class InWords {
    /** From this share of Q on, somebody waited for the query; below {@link #NOTHING} nobody noticed it. */
    private static final double A_WAIT = 0.5;

    private static final double NOTHING = 0.25;

    private InWords() {}

    /** The sentence. */
    public static String of(StrategyResult result) {
        return result.strategy() + ": " + body(result, Numbers.ms(result.queryAlone()));
    }

    private static String body(StrategyResult result, double queryMs) {
        if (result.episodes().isEmpty()) {
            return "no expiry was seen; a shorter --ttl shows some.";
        }
        return queries(result, queryMs) + "; " + callers(result, queryMs) + "; " + neighbours(result, queryMs) + ".";
    }

    private static String queries(StrategyResult result, double queryMs) {
        String event = result.strategy().refreshesAhead() ? "refresh" : "expiry";
        if (Collections.max(result.queriesPerExpiry()) == 1) {
            return "one query per " + event;
        }
        return "%s queries per %s, %d at once, the slowest %s instead of %s"
                .formatted(
                        Numbers.range(result.queriesPerExpiry()),
                        event,
                        result.maxConcurrentQueries(),
                        Numbers.time(result.slowestQueryMs()),
                        Numbers.time(queryMs));
    }

    private static String callers(StrategyResult result, double queryMs) {
        double around = result.hotAround().p99Ms();
        String failed = result.errors() == 0 ? "" : ", and %d requests failed".formatted(result.errors());
        if (around >= A_WAIT * queryMs) {
            return "whoever asked meanwhile waited (P99 %s)".formatted(Numbers.time(around)) + failed;
        }
        String nobody = around <= NOTHING * queryMs ? "nobody waited for it" : "hardly anybody waited for it";
        return nobody + " (P99 %s)".formatted(Numbers.time(around)) + failed;
    }

    private static String neighbours(StrategyResult result, double queryMs) {
        double around = result.unrelatedAround().p99Ms();
        return around <= NOTHING * queryMs
                ? "the unrelated page did not notice (P99 %s)".formatted(Numbers.time(around))
                : "the unrelated page had to wait as well (P99 %s)".formatted(Numbers.time(around));
    }
}
