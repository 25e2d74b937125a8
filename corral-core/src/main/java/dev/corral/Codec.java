package dev.corral;

/** Turns values into bytes and back, for stores outside the process. Must be safe for use by many threads. */
public interface Codec<V> {
    /** The value's bytes. Never called with null: "known absent" needs no bytes. */
    byte[] encode(V value) throws Exception;

    /**
     * The value of these bytes.
     *
     * @throws Exception if the bytes are not a value of this codec; the cache counts it, treats it as a miss and loads
     */
    V decode(byte[] bytes) throws Exception;
}
