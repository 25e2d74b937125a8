package dev.corral.lab.chaos;

import java.time.Duration;

/** What the nodes' caches are set to, where it is not the default, and what follows for the faults. */
final class NodeSettings {
    /** How long a near entry serves at most. */
    static final Duration NEAR = Duration.ofSeconds(1);

    /** Loads at once in a process. */
    static final int LIMIT = 4;

    static final Duration BACK_OFF = Duration.ofMillis(250);
    static final Duration MOST_BACK_OFF = Duration.ofSeconds(1);

    /** The time to live of keys that begin with {@link #BRIEF}, and how long they are served stale on an error. */
    static final Duration BRIEF_TTL = Duration.ofMillis(500);

    static final Duration BRIEF_STALE = Duration.ofSeconds(2);
    static final String BRIEF = "brief";

    /** How long the query of one load takes, beside what the machine adds. */
    static final Duration QUERY = Duration.ofMillis(50);

    /** The default, as the next ones are. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** A lease, and a waiter's look after it: how soon callers elsewhere begin to load when a leader has died. */
    static final Duration LEADER_LOST = Duration.ofMillis(2_500);

    /** Added to each bound on waiting: two cores run two nodes, two servers, the test and whatever else there is. */
    static final Duration MACHINE = Duration.ofSeconds(3);

    private NodeSettings() {}
}
