package dev.corral.spi;

/** The answers to {@link Region#commit}. */
public enum Committed {
    /** The entry is in the store. */
    STORED,
    /** The entry is in the store, but the source changed while it was loaded: load once more. */
    STORED_LOAD_AGAIN,
    /** An invalidation, a put or a later-begun load came first; the entry was not stored. */
    REJECTED
}
