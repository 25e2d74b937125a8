package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.app.AppSettings;
import dev.corral.lab.servers.Servers;
import dev.corral.lab.shop.Calibration;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What is the same for all strategies.
 *
 * @param run a name that no other run has, for what it keeps on shared servers
 * @param folder for logs
 */
record Course(
        RaceSettings settings, Servers servers, Calibration calibration, String run, Path folder, HttpClient client) {

    Duration queryAlone() {
        return calibration.queryAlone();
    }

    long queryAloneMicros() {
        return queryAlone().toNanos() / 1_000;
    }

    Duration ttl() {
        return settings.ttlFor(queryAlone());
    }

    /** How long the database must have been quiet before a query belongs to a new expiry, or a new refresh. */
    long quietMicros(RaceStrategy strategy) {
        Duration quiet = strategy.refreshesAhead() ? queryAlone() : ttl().dividedBy(2);
        return quiet.toNanos() / 1_000;
    }

    /** When to give up waiting for expiries: by far longer than they take, so that a race ends whatever happens. */
    Duration patience() {
        Duration cycle = ttl().multipliedBy(2)
                .plus(settings.poolTimeout().multipliedBy(3))
                .plus(queryAlone().multipliedBy(8L * settings.pool()));
        return cycle.multipliedBy(settings.expiries()).plusSeconds(20);
    }

    /** The cache of one strategy; no other run has one of that name. */
    static String cacheName(String run, RaceStrategy strategy) {
        return run + "-" + strategy;
    }

    AppSettings appSettings(RaceStrategy strategy) {
        return new AppSettings(
                strategy,
                cacheName(run, strategy),
                servers.redisUri(),
                servers.jdbcUrl(),
                run,
                ttl(),
                queryAlone(),
                calibration.window(),
                settings.pool(),
                settings.poolTimeout());
    }
}
