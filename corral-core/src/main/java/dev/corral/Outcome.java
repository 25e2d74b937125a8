package dev.corral;

/** How good the answer of a read is. */
public enum Outcome {
    /** Within its time to live. */
    FRESH,
    /** Past soft expiry, and served because the settings allow it. */
    STALE,
    /** No value yet; a load is under way or scheduled. */
    PENDING
}
