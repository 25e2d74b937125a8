package dev.corral;

import org.jspecify.annotations.Nullable;

/** The caller's hard timeout or the maximum load time is over. The load may go on and still fill the cache. */
public final class LoadTimeoutException extends CorralException {
    private static final long serialVersionUID = 1L;

    /** With the incident report as its message. */
    public LoadTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
