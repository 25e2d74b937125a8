package dev.corral;

import org.jspecify.annotations.Nullable;

/** The cache has been closed. */
public final class CacheClosedException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public CacheClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
