package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/**
 * Holds what callers and the database have seen against what was promised.
 *
 * @param account of all callers
 * @param waiting of those whose wait counts
 * @param struck from when on waits count
 */
record Verdict(
        Fault fault,
        Account account,
        Account waiting,
        long struck,
        List<LoadRow> loads,
        LoadBudget budget,
        Duration waitAllowed,
        Duration staleAllowed) {

    /** No errors, no value from before a write that the node itself has made, and the numbers within their bounds. */
    Evidence check() {
        budget.check(loads);
        assertThat(LoadRow.mostAtOncePer(LoadRow::node, loads))
                .as("loads at once on a node")
                .isLessThanOrEqualTo(NodeSettings.LIMIT);
        assertThat(account.errors()).isEmpty();
        assertThat(account.resurrections()).isEmpty();
        Duration wait = waiting.worstWait(struck);
        assertThat(wait).as("worst wait").isLessThanOrEqualTo(waitAllowed.plus(NodeSettings.MACHINE));
        Duration stale = account.staleAge();
        assertThat(stale).as("stale age").isLessThanOrEqualTo(staleAllowed);
        return new Evidence(
                fault.name(),
                fault.promise(),
                loads.size(),
                budget.total(),
                0,
                "none",
                wait,
                waitAllowed,
                stale,
                staleAllowed);
    }
}
