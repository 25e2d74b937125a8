package dev.corral;

import org.jspecify.annotations.Nullable;

/** The root of Corral's own exceptions; there is one type per reason. */
public abstract class CorralException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorralException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
