package dev.corral.simulator;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs seeds, and says of each that broke a promise how to run it again and what happened last.
 *
 * <p>{@code java -cp … dev.corral.simulator.Simulation 4711} replays one seed.
 */
public final class Simulation {
    private final Map<Invariant, Long> checked = new EnumMap<>(Invariant.class);
    private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);
    private long seeds;
    private long events;
    private long loads;

    /** What a seed came to: empty if nothing was broken. */
    public record Verdict(long seed, List<String> broken, String report) {
        /** True if every promise was kept. */
        public boolean isClean() {
            return broken.isEmpty();
        }
    }

    /** Runs a seed; a broken one twice, the second time to write down what happens. */
    public Verdict run(long seed) {
        return firstBroken(seed).isEmpty() ? new Verdict(seed, List.of(), "") : replay(seed);
    }

    /** Runs a seed once; the first promise it broke, or an empty text. */
    public String firstBroken(long seed) {
        Run run = new Run(Scenario.draw(seed), false);
        History history = run.play();
        count(run, history);
        return history.broken().isEmpty() ? "" : history.broken().get(0);
    }

    /** Runs a seed and reports on it, broken or not. */
    public static Verdict replay(long seed) {
        Scenario scenario = Scenario.draw(seed);
        History history = new Run(scenario, true).play();
        String report = String.join(
                "\n",
                "seed " + seed + ": " + history.broken().size() + " broken",
                "replay: mvn -pl corral-simulator -am test -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dseed=" + seed,
                scenario.toString(),
                String.join("\n", history.timeline()),
                String.join("\n", history.broken()));
        return new Verdict(seed, List.copyOf(history.broken()), report);
    }

    private synchronized void count(Run run, History history) {
        seeds++;
        events += run.world().done();
        loads += history.loads();
        history.checked().forEach((invariant, times) -> checked.merge(invariant, times, Long::sum));
        history.scenario.faults().forEach(fault -> faults.merge(fault, 1L, Long::sum));
    }

    /** How much was run and checked so far. */
    public synchronized String summary(Duration took) {
        long all = checked.values().stream().mapToLong(Long::longValue).sum();
        return seeds + " seeds, " + events + " events, " + loads + " loads in " + took.toMillis() / 1000.0 + " s; "
                + checked.size() + " invariants checked " + all + " times: " + checked + "; seeds with each fault: "
                + faults;
    }

    /** Replays the seeds given. */
    public static void main(String[] seeds) {
        boolean clean = true;
        for (String seed : seeds) {
            Verdict verdict = replay(Long.parseLong(seed));
            System.out.println(verdict.report());
            clean &= verdict.isClean();
        }
        System.exit(clean ? 0 : 1);
    }
}
