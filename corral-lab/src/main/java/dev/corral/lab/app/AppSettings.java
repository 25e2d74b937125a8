package dev.corral.lab.app;

import dev.corral.lab.RaceStrategy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an application process is told when it starts, through its environment: what is on a command line, every user of
 * the machine can read, and the addresses may hold passwords.
 *
 * @param strategy how its cache regenerates the hot value
 * @param cacheName the cache's name, the same in all processes of one strategy and in no other run
 * @param redisUri the store
 * @param jdbcUrl the database
 * @param schema where the shop is
 * @param ttl how long the hot value lives
 * @param queryAlone Q, for what has to know about how long a load takes
 * @param window how far back the trending query looks
 * @param pool connections to the database
 * @param poolTimeout how long a request waits for one
 */
public record AppSettings(
        RaceStrategy strategy,
        String cacheName,
        String redisUri,
        String jdbcUrl,
        String schema,
        Duration ttl,
        Duration queryAlone,
        Duration window,
        int pool,
        Duration poolTimeout) {
    private static final String PREFIX = "CORRAL_APP_";

    /** As environment variables. */
    Map<String, String> toEnvironment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(PREFIX + "STRATEGY", strategy.name());
        environment.put(PREFIX + "CACHE", cacheName);
        environment.put(PREFIX + "REDIS", redisUri);
        environment.put(PREFIX + "JDBC", jdbcUrl);
        environment.put(PREFIX + "SCHEMA", schema);
        environment.put(PREFIX + "TTL", ttl.toString());
        environment.put(PREFIX + "QUERY_ALONE", queryAlone.toString());
        environment.put(PREFIX + "WINDOW", window.toString());
        environment.put(PREFIX + "POOL", Integer.toString(pool));
        environment.put(PREFIX + "POOL_TIMEOUT", poolTimeout.toString());
        return environment;
    }

    /** From the environment variables of {@link #toEnvironment}. */
    static AppSettings from(Map<String, String> environment) {
        return new AppSettings(
                RaceStrategy.valueOf(need(environment, "STRATEGY")),
                need(environment, "CACHE"),
                need(environment, "REDIS"),
                need(environment, "JDBC"),
                need(environment, "SCHEMA"),
                Duration.parse(need(environment, "TTL")),
                Duration.parse(need(environment, "QUERY_ALONE")),
                Duration.parse(need(environment, "WINDOW")),
                Integer.parseInt(need(environment, "POOL")),
                Duration.parse(need(environment, "POOL_TIMEOUT")));
    }

    private static String need(Map<String, String> environment, String name) {
        String value = environment.get(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(PREFIX + name + " is not set; the driver of the race sets it");
        }
        return value;
    }

    /** Without the addresses: they may hold passwords. */
    @Override
    public String toString() {
        return "AppSettings[strategy=" + strategy + ", cacheName=" + cacheName + "]";
    }
}
