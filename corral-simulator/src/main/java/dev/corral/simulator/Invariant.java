package dev.corral.simulator;

/** What is checked, and which promise of docs/architecture.md it is about. */
enum Invariant {
    /** 1: what runs beside another load of the same key has a reason. */
    ONE_LOAD,
    /** 1: the store has one owner of a lease at a time. */
    ONE_LEASE,
    /** 1: nobody is granted a key that is fresh. */
    NO_LOAD_WHILE_FRESH,
    /** 1: what the store hands over instead of a lease is fresh. */
    STORE_HANDS_OVER_FRESH,
    /** 1: a load without a lease has a reason: trouble with the store, or a loader that waited for another. */
    NO_LOAD_WITHOUT_LEASE,
    /** 1: no lease is lost without a fault. */
    LEASE_KEPT,
    /** 2: no read yields what a write before it has ended. */
    NO_RESURRECTION,
    /** 2: a commit that something came before is not stored. */
    LATE_COMMIT_REJECTED,
    /** 3: nothing is served past its time to live, or past the stale window asked for. */
    TIME_TO_LIVE,
    /** 4: every call is answered within its bound. */
    ANSWERED_IN_TIME,
    /** 4: nothing is left behind when everything is over: callers, permits, leases, timers, threads. */
    NOTHING_LEAKED,
    /** 5: nobody is granted a key that has just failed. */
    BACK_OFF,
    /** 5: no process runs more loads at once than its limiter allows. */
    LOAD_LIMIT,
    /** 6: callers see no error that their settings, or the database, do not explain. */
    EXPLAINED_ERROR,
    /** All: when the faults are over, what was written is what is read, soon. */
    CONVERGENCE,
    /** All: after that, a key that everybody asks for is loaded once. */
    ONE_LOAD_AFTERWARDS
}
