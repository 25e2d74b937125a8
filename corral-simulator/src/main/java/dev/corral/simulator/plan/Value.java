package dev.corral.simulator.plan;

/** What a load brings: knows when it was stored, so that a reader knows how old it is. */
final class Value {
    private final long loadedAt;
    private long storedAt = -1;

    Value(long loadedAt) {
        this.loadedAt = loadedAt;
    }

    void storedAt(long now) {
        storedAt = now;
    }

    long age(long now) {
        return now - (storedAt < 0 ? loadedAt : storedAt);
    }
}
