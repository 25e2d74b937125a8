package dev.corral.simulator.plan;

import dev.corral.EarlyRefresh;
import dev.corral.Strategy;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.When;
import dev.corral.Strategy.Who;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A strategy to simulate, as points on the engine's axes and how its callers behave.
 *
 * @param name as the user wrote it
 * @param axes when, who, meanwhile
 * @param policy the early refresh policy, null if there is none
 * @param flights whether callers of one process share a load; without, every caller is a process of its own
 * @param foreground whether a caller whose read begins a refresh waits for it
 * @param window the stale window; null is the time to live where {@code meanwhile} asks for one
 * @param every the job's period; null is the engine's default
 */
public record PlanStrategy(
        String name,
        Strategy axes,
        @Nullable EarlyRefresh policy,
        boolean flights,
        boolean foreground,
        @Nullable Duration window,
        @Nullable Duration every) {
    /** What {@code early} does: the builder's default. */
    static final EarlyRefresh DEFAULT_POLICY = EarlyRefresh.adaptive();

    /**
     * Reads a name, or a name and options: {@code xfetch:beta=2,lease=off}.
     *
     * @throws IllegalArgumentException if there is no such strategy or option; the message says what it got
     */
    public static PlanStrategy parse(String text) {
        PlanOptions options = PlanOptions.of(text);
        PlanStrategy strategy = switch (options.name()) {
            case "naive" -> preset(text, Strategy.naive(), null);
            case "mutex" -> preset(text, Strategy.mutex(), null);
            case "early" -> preset(text, Strategy.early(), DEFAULT_POLICY);
            case "external" ->
                new PlanStrategy(text, Strategy.external(), null, true, false, null, options.time("every"));
            case "stale" -> {
                Strategy axes = new Strategy(When.EXPIRY, Who.CLUSTER, Meanwhile.STALE);
                yield new PlanStrategy(text, axes, null, true, false, options.time("window"), null);
            }
            case "xfetch" -> early(options, EarlyRefresh.xfetch(options.number("beta")), true);
            case "simple" -> early(options, EarlyRefresh.simple(options.number("beta")), true);
            case "adaptive" -> early(options, EarlyRefresh.adaptive(), false);
            default ->
                throw new IllegalArgumentException("must be of " + PlanOptions.NAMES + ", got " + options.name());
        };
        options.requireAllUsed();
        return strategy;
    }

    /**
     * Reads several, separated by commas. What follows a comma and is {@code option=value} still belongs to the strategy
     * before it.
     *
     * @throws IllegalArgumentException as {@link #parse}, or if one is named twice
     */
    public static List<PlanStrategy> parseAll(String text) {
        List<PlanStrategy> strategies = Arrays.stream(text.split(",(?![^:,]*=)", -1))
                .map(PlanStrategy::parse)
                .toList();
        Set<String> names = new HashSet<>();
        strategies.stream().filter(one -> !names.add(one.name)).findFirst().ifPresent(twice -> {
            throw new IllegalArgumentException("must name each once, got " + twice.name + " twice");
        });
        return strategies;
    }

    private static PlanStrategy preset(String name, Strategy axes, @Nullable EarlyRefresh policy) {
        return new PlanStrategy(name, axes, policy, true, false, null, null);
    }

    /** @param mayDoWithout whether the policy makes sense in processes that hardly ever read */
    private static PlanStrategy early(PlanOptions options, EarlyRefresh policy, boolean mayDoWithout) {
        Who who = options.isOn("lease", true) ? Who.CLUSTER : Who.PROCESS;
        boolean flights = !mayDoWithout || options.isOn("flights", true);
        boolean foreground = options.isOn("foreground", false);
        Strategy axes = new Strategy(When.EARLY, who, Meanwhile.WAIT);
        return new PlanStrategy(options.text(), axes, policy, flights, foreground, null, null);
    }

    /** True if no caller shares what another of its process is doing. */
    boolean everyCallerAsks() {
        return !flights || axes.who() == Who.EVERYBODY;
    }

    @Override
    public String toString() {
        return name;
    }
}
