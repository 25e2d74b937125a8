package dev.corral.lab;

/** Something went wrong at run time; the message is one line that a user can act on. */
public final class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With nothing more to know than the message. */
    public LabException(String message) {
        super(message);
    }

    /** With the exception that led here. */
    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
