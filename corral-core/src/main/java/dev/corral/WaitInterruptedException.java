package dev.corral;

import org.jspecify.annotations.Nullable;

/** The calling thread was interrupted while it waited; its interrupt status is set again. */
public final class WaitInterruptedException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public WaitInterruptedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
