package dev.corral;

import org.jspecify.annotations.Nullable;

/** The value could not be loaded: by a checked exception of the loader (the cause), by a failure on another node, or because the key is backing off after one (the message has the failure's text). */
public final class LoadFailedException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public LoadFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
