package dev.corral.simulator;

/** An announcement that has arrived: what the store did, when, and when a process heard of it. */
record News(Kind kind, long storeInstant, long heardAt) {
    /** What was announced. */
    enum Kind {
        STORED,
        INVALIDATED,
        FAILED
    }

    /** True if it may be of this write. Of a put it is known when the store took it: commits are announced alike. */
    boolean isOf(Write write) {
        if (write.kind.equals("put")) {
            return kind == Kind.STORED && storeInstant == write.storedAt();
        }
        return kind == Kind.INVALIDATED && storeInstant >= write.began() && storeInstant <= write.ended();
    }
}
