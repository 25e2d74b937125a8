package dev.corral;

/** Where the answer of a read came from. */
public enum Source {
    /** The near tier. */
    NEAR,
    /** The store. */
    STORE,
    /** A load, this caller's or one it joined. */
    LOAD,
    /** Nowhere: the answer is pending. */
    NONE
}
