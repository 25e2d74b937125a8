package dev.corral.memory;

import dev.corral.spi.StoredEntry;
import dev.corral.spi.Token;
import org.jspecify.annotations.Nullable;

/** A key's record. Guarded by its shelf's lock for the key. Instants are milliseconds of the store's clock. */
final class KeyRecord {
    final long epoch;
    final long generation;
    long expiresAt;
    long lastOrder;
    long ownerOrder;
    long storedOrder;
    boolean dirty;

    @Nullable
    Token owner;

    long leaseUntil;
    int failures;
    long failedUntil;
    String failure = "";

    KeyRecord(long epoch, long generation) {
        this.epoch = epoch;
        this.generation = generation;
    }

    boolean isLeased(long now) {
        return owner != null && leaseUntil > now;
    }

    boolean isOwnedBy(Token token, long now) {
        return isLeased(now) && token.equals(owner);
    }

    void dropLease() {
        owner = null;
    }

    /** A value as it is kept: with the generation it belongs to. */
    record Kept(StoredEntry entry, long generation) {}
}
