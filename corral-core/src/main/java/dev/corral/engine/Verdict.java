package dev.corral.engine;

/** What a read may do with an entry. */
enum Verdict {
    /** Serve it. */
    FRESH,
    /** Serve it and refresh it in the background. */
    EARLY,
    /** Serve it as stale and refresh it in the background. */
    STALE,
    /** Do not serve it, unless loading fails. */
    EXPIRED
}
