package dev.corral.simulator;

/** What can go wrong. Each seed draws which of these are on. */
enum Fault {
    LATENCY_SPIKES,
    LOST_MESSAGES,
    LOST_NEWS,
    DUPLICATE_NEWS,
    PARTITION,
    DISCONNECT,
    STORE_FREEZE,
    STORE_SLOW,
    STORE_FAILOVER,
    STORE_EMPTY,
    STORE_FLUSH,
    STORE_EVICTION,
    NODE_PAUSE,
    NODE_CRASH,
    CLOCK_DRIFT,
    SLOW_EXECUTOR,
    REJECTING_EXECUTOR,
    INTERRUPTED_CALLERS,
    DATABASE_FAILS,
    DATABASE_SLOW,
    DATABASE_DOWN,
    HANGING_LOADER
}
