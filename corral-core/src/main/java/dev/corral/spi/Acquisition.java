package dev.corral.spi;

/** The answers to {@link Region#acquire}. */
public sealed interface Acquisition {
    /** Somebody stored a fresh entry meanwhile. */
    record Fresh(StoredEntry entry) implements Acquisition {}

    /**
     * The last load failed and nobody may try again yet.
     *
     * @param leftNanos how long that lasts
     * @param reason the failure's text
     */
    record BackingOff(long leftNanos, String reason) implements Acquisition {}

    /**
     * Somebody else loads.
     *
     * @param leftNanos how long its lease lasts unless renewed
     */
    record Busy(long leftNanos) implements Acquisition {}

    /** The caller loads now. */
    record Granted(Grant grant) implements Acquisition {}
}
