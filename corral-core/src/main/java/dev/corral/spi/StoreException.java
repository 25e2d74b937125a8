package dev.corral.spi;

import org.jspecify.annotations.Nullable;

/** A step that the store did not carry out, or not provably. Its message holds no secret and no value. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a step failed. */
    public enum Reason {
        /** Not connected, or the connection broke: the breaker opens at once. */
        DISCONNECTED,
        /** No answer in time: the breaker opens after a few in a row. */
        TIMEOUT,
        /** The store answered with an error (full, read-only, no permission): the step failed, the store lives. */
        REFUSED
    }

    private final Reason reason;

    /** A failed step with its reason and what lies behind it. */
    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why the step failed. */
    public Reason reason() {
        return reason;
    }
}
