package dev.corral.spi;

import org.jspecify.annotations.Nullable;

/**
 * An entry as the store holds it. Instants are milliseconds of the store's clock.
 *
 * @param payload bytes, or the value itself where the store keeps references; null means known absent
 * @param writtenAt when it was stored
 * @param softExpiry until when it is fresh
 * @param hardExpiry until when it may be served stale
 * @param cost what loading it cost
 * @param commitId who stored it; never the same twice
 */
public record StoredEntry(
        @Nullable Object payload, long writtenAt, long softExpiry, long hardExpiry, Cost cost, Token commitId) {}
