package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What kind of race is wanted.
 *
 * @param strategies in the order they race in
 * @param nodes application processes
 * @param rate requests to the popular page, a second, over all nodes
 * @param ttl how long the value lives; nothing: {@link #TTL_IN_QUERIES} times Q
 * @param expiries expiries, or refreshes, seen of each strategy
 * @param pool database connections of each node
 * @param poolTimeout how long a request waits for one
 * @param queryTime what Q should be
 * @param warmUp load before the measurement
 * @param quick whether the short form was asked for
 * @param ownRedis the user's Redis instead of an embedded one
 * @param ownDatabase the user's PostgreSQL instead of an embedded one
 */
public record RaceSettings(
        List<RaceStrategy> strategies,
        int nodes,
        int rate,
        Optional<Duration> ttl,
        int expiries,
        int pool,
        Duration poolTimeout,
        Duration queryTime,
        Duration warmUp,
        boolean quick,
        Optional<String> ownRedis,
        Optional<String> ownDatabase) {

    /** With a shorter TTL the naive cache has not recovered from one expiry when the next one comes. */
    static final int TTL_IN_QUERIES = 15;

    /** Requests a second to the unrelated page. */
    public static final int TRICKLE = 10;

    /** Puts the naive strategy last: its backlog spoils what follows. */
    public RaceSettings {
        List<RaceStrategy> ordered = new ArrayList<>(new LinkedHashSet<>(strategies));
        if (ordered.remove(RaceStrategy.NAIVE)) {
            ordered.add(RaceStrategy.NAIVE);
        }
        strategies = List.copyOf(ordered);
    }

    /** The TTL for a query of this cost. */
    Duration ttlFor(Duration queryAlone) {
        return ttl.orElseGet(
                () -> Duration.ofMillis(queryAlone.multipliedBy(TTL_IN_QUERIES).toMillis()));
    }

    /** Without the addresses: they may hold passwords. */
    @Override
    public String toString() {
        return "%s, %d nodes, %d requests/s".formatted(strategies, nodes, rate);
    }
}
