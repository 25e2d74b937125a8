package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * What callers and the database have seen of a fault, to be held against what was promised.
 *
 * @param account of all callers
 * @param waiting of those whose wait counts
 * @param struck from when on waits count
 * @param staleAllowed how old what a node serves may be after a write by the other one
 */
record Verdict(Fault fault, Account account, Account waiting, long struck, List<LoadRow> loads, Duration staleAllowed) {

    /** What was seen of all keys of that name. All waits count, and staleness is allowed as the near tier allows it. */
    static Verdict of(Fault fault, Rig rig, String keys, long struck) {
        Account account = rig.history.of(keys);
        return new Verdict(fault, account, account, struck, rig.ledger.loads(keys), NodeSettings.NEAR);
    }

    /** Only their waits count: of the others the test decides how long they wait. */
    Verdict waiting(Predicate<Call> which) {
        return new Verdict(fault, account, account.only(which), struck, loads, staleAllowed);
    }

    Verdict allowingStale(Duration allowed) {
        return new Verdict(fault, account, waiting, struck, loads, allowed);
    }

    Duration longestLoad() {
        return LoadRow.longest(loads);
    }

    Duration longestLoad(Predicate<LoadRow> which) {
        return LoadRow.longest(loads.stream().filter(which).toList());
    }

    /** No errors, no value from before a write that the node itself has made, and the numbers within their bounds. */
    Evidence check(LoadBudget budget, Duration waitAllowed) {
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
