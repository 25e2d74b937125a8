package dev.corral.spi;

/** What a plain read found under a key. */
public sealed interface Reading {
    /** An entry that has not passed its hard expiry by the store's clock, as far as the store knows. */
    record Found(StoredEntry entry) implements Reading {}

    /** Nothing, or something that an invalidation of everything has made void. */
    record Missing() implements Reading {}

    /** Bytes that are not an envelope this version can read; to the engine a miss that it counts. */
    record Unreadable() implements Reading {}
}
