package dev.corral;

import org.jspecify.annotations.Nullable;

/** The caller waited for somebody else's load until its bound, and no stale value was allowed. */
public final class WaitTimeoutException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public WaitTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
