package dev.corral.simulator;

/** An announcement that has arrived: what the store did, when, and when a process heard of it. */
record News(Kind kind, long storeInstant, long heardAt) {
    /** What was announced. */
    enum Kind {
        STORED,
        INVALIDATED,
        FAILED
    }

    /** True if it may be of this write. */
    boolean isOf(Write write) {
        Kind ofWrite = write.kind.equals("put") ? Kind.STORED : Kind.INVALIDATED;
        return kind == ofWrite && storeInstant >= write.began() && storeInstant <= write.ended();
    }
}
