package dev.corral.lab.cli;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.race.RaceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code race}, and whether they make sense. */
final class RaceOptions {
    private static final Duration QUERY_TIME = Duration.ofSeconds(1);
    private static final int EXPIRIES = 3;
    private static final int QUICK_EXPIRIES = 2;
    private static final Duration QUICK_QUERY_TIME = Duration.ofMillis(380);

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "NAME",
            converter = Strategies.class,
            completionCandidates = StrategyNames.class,
            description = {
                "Which race, in this order, of early, external, mutex and naive; default: all.",
                "naive is always last: its backlog spoils what follows."
            })
    private List<RaceStrategy> strategies =
            new ArrayList<>(List.of(RaceStrategy.EARLY, RaceStrategy.EXTERNAL, RaceStrategy.MUTEX, RaceStrategy.NAIVE));

    @Option(names = "--nodes", defaultValue = "2", description = "Application processes; default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--rate",
            defaultValue = "200",
            description = "Requests a second to the hot page; default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--ttl",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "Time to live of the hot value; default: 15 times what the query costs alone.")
    private @Nullable Duration ttl;

    @Option(
            names = "--expiries",
            description = "Expiries, or refreshes, to watch of each strategy; default: 3, with --quick 2.")
    private @Nullable Integer expiries;

    @Option(
            names = "--pool",
            defaultValue = "10",
            description = "Database connections of each node; default: ${DEFAULT-VALUE}.")
    private int pool;

    @Option(
            names = "--pool-timeout",
            defaultValue = "3s",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "How long a request waits for a connection before it fails; default: ${DEFAULT-VALUE}.")
    private Duration poolTimeout = Duration.ZERO;

    @Option(
            names = "--query-time",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "What the query is to cost alone on this machine; default: 1s, with --quick 380ms.")
    private @Nullable Duration queryTime;

    @Option(
            names = "--warm-up",
            defaultValue = "5s",
            converter = Durations.class,
            paramLabel = "DURATION",
            description = "Load before the measurement of each strategy; default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--quick", description = "A cheaper query and so a shorter TTL: all four in two minutes.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the results there, for programs.")
    private @Nullable Path json;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "Your own Redis instead of an embedded one: redis://[:password@]host[:port][/database].")
    private @Nullable String redis;

    @Option(
            names = "--postgres",
            paramLabel = "JDBC-URL",
            description = {
                "Your own PostgreSQL instead of an embedded one: jdbc:postgresql://host/database?user=...",
                "A schema is created there for the run, and dropped."
            })
    private @Nullable String postgres;

    /** The settings they ask for, or an exception that names the option that is wrong. */
    RaceSettings check(CommandLine command) {
        Checks checks = new Checks(command);
        checks.between("--nodes", nodes, 1, 16);
        checks.between("--rate", rate, 1, 5_000);
        int watched = expiries != null ? expiries : quick ? QUICK_EXPIRIES : EXPIRIES;
        checks.between("--expiries", watched, 1, 1_000);
        checks.between("--pool", pool, 1, 100);
        checks.atLeast("--pool-timeout", poolTimeout, Duration.ofMillis(250));
        checks.atLeast("--ttl", ttl, Duration.ofSeconds(1));
        checks.atLeast("--query-time", queryTime, Duration.ofMillis(20));
        checks.redis(redis);
        checks.postgres(postgres);
        checks.writable("--json", json);
        return new RaceSettings(
                strategies,
                nodes,
                rate,
                Optional.ofNullable(ttl),
                watched,
                pool,
                poolTimeout,
                queryTime != null ? queryTime : quick ? QUICK_QUERY_TIME : QUERY_TIME,
                warmUp,
                quick,
                Optional.ofNullable(redis),
                Optional.ofNullable(postgres));
    }

    Optional<Path> json() {
        return Optional.ofNullable(json);
    }
}
