package dev.corral;

import org.jspecify.annotations.Nullable;

/** The load limiter had no permit and no place in its queue, or the caller's bound ended in the queue. */
public final class LoadRejectedException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public LoadRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
