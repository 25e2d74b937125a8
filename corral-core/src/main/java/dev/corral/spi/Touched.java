package dev.corral.spi;

/** The answers to {@link Region#touch}. */
public enum Touched {
    /** A load is under way; its owner will be told to load again. */
    MARKED,
    /** Nobody loads this key. */
    FREE
}
