package dev.corral;

import java.time.Duration;

/** There is no value yet, and this cache does not let readers wait; a load is under way or scheduled. */
public final class PendingException extends CorralException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    /** With the incident report as its message. */
    public PendingException(String message, Duration retryAfter) {
        super(message, null);
        this.retryAfter = retryAfter;
    }

    /** After what time asking again makes sense. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
