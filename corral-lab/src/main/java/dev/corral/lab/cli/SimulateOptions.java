package dev.corral.lab.cli;

import dev.corral.simulator.plan.DatabaseSize;
import dev.corral.simulator.plan.PlanSettings;
import dev.corral.simulator.plan.PlanStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code simulate}, and whether they make sense. */
final class SimulateOptions {
    private static final String STANDARD_OUTPUT = "-";

    @Option(names = "--nodes", defaultValue = "100", description = "Processes, 1 to 1000; default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--rate",
            defaultValue = "10000",
            description = "Reads a second on all nodes together, up to a million; default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--ttl",
            defaultValue = "60s",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "Time to live of the hot value; default: ${DEFAULT-VALUE}.")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--load",
            defaultValue = "1.2s",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "How long a load takes on an idle database; default: ${DEFAULT-VALUE}.")
    private Duration load = Duration.ZERO;

    @Option(
            names = "--for",
            defaultValue = "1h",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "Virtual time to measure; default: ${DEFAULT-VALUE}.")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--strategy",
            defaultValue = "naive,mutex,early,external",
            paramLabel = "NAME[:OPTION=VALUE,…]",
            description = {
                "Which, in this order; default: ${DEFAULT-VALUE}.",
                "naive, mutex, early: the engine's own, without options.",
                "external[:every=DURATION]: the job's period; default: half of the TTL.",
                "stale[:window=DURATION]: on expiry one in the cluster loads, the others get the previous value for so"
                        + " long; default: the TTL.",
                "xfetch[:beta=N,lease=on|off,flights=on|off,foreground=on|off]: probabilistic early expiration."
                        + " lease=off: each process refreshes for itself. flights=off: each caller is a process of its"
                        + " own. foreground=on: the reader whose dice say so waits for the refresh.",
                "simple[:the same options]: the formula of the blog posts.",
                "adaptive[:lease=on|off,foreground=on|off]: the adaptive window."
            })
    private String strategy = "";

    @Option(
            names = "--database",
            defaultValue = "unlimited",
            paramLabel = "SIZE",
            description = {
                "unlimited, or cores=N[,connections=N]: queries share the cores evenly, those without a connection wait"
                        + " for one; default: ${DEFAULT-VALUE}."
            })
    private String database = "";

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "The same seed gives the same result; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the results there, for programs; to standard output, alone, if it is -.")
    private @Nullable Path json;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Writes a page there that shows loads, waits and ages over the first few times to live.")
    private @Nullable Path report;

    @Option(
            names = "--load-varies",
            defaultValue = "0",
            paramLabel = "SHARE",
            description = "By what share, at most, chance makes a load shorter or longer, below 1; default: no"
                    + " variation.")
    private double varies;

    /** What they ask for: one load on these strategies. */
    record Request(PlanSettings settings, List<PlanStrategy> strategies) {}

    /** What they ask for, or an exception that names the option that is wrong. */
    Request check(CommandLine command) {
        Checks checks = new Checks(command);
        checks.between("--nodes", nodes, 1, 1_000);
        checks.between("--rate", rate, 1, 1_000_000);
        checks.atLeast("--ttl", ttl, Duration.ofMillis(100));
        checks.atLeast("--load", load, Duration.ofMillis(1));
        checks.atLeast("--for", length, ttl);
        List<PlanStrategy> strategies = checked(checks, "--strategy", PlanStrategy::parseAll, strategy);
        DatabaseSize size = checked(checks, "--database", DatabaseSize::parse, database);
        if (!jsonToOutput()) {
            checks.writable("--json", json);
        }
        checks.writable("--report", report);
        checks.share("--load-varies", varies);
        return new Request(new PlanSettings(nodes, rate, ttl, load, varies, length, size, seed), strategies);
    }

    private static <T> T checked(Checks checks, String option, Function<String, T> parser, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw checks.wrong(option, String.valueOf(e.getMessage()));
        }
    }

    boolean jsonToOutput() {
        return json != null && json.toString().equals(STANDARD_OUTPUT);
    }

    /** Where to write a page. */
    Optional<Path> report() {
        return Optional.ofNullable(report);
    }

    /** Where to write JSON, if it is a file. */
    Optional<Path> json() {
        return jsonToOutput() ? Optional.empty() : Optional.ofNullable(json);
    }
}
