package dev.corral.engine;

/** Throws what is known to be unchecked. */
final class Thrown {
    private Thrown() {}

    /** Returns runtime exceptions, to be thrown by the caller, and throws errors. */
    static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }
}
