package dev.corral.spi;

import dev.corral.Codec;

/** The shared tier behind caches. One store may serve many caches; it has one connection and one breaker. */
public interface Store extends AutoCloseable {

    /**
     * Opens a cache's region. Must not block on the network: a store that cannot be reached opens all the same, with
     * its breaker open.
     */
    <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener);

    /** True if payloads are the values themselves and no codec is needed; false if they are {@link Codec codec} bytes. */
    boolean keepsReferences();

    /** Whether the store can be used now. */
    Breaker breaker();

    /** Closes the connection. Caches that still use the store go on as in an outage. */
    @Override
    void close();
}
