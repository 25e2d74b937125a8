package dev.corral;

import org.jspecify.annotations.Nullable;

/** A loader read the very key it was loading; the message names the cycle. */
public final class RecursiveLoadException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public RecursiveLoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
