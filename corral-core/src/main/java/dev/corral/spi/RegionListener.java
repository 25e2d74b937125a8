package dev.corral.spi;

/**
 * What a region tells its cache about the doings of others. Called on the store's own threads; implementations are
 * short, never block and never throw.
 */
public interface RegionListener<K> {
    /** Another node stored this key, by commit or put. */
    void stored(K key);

    /** Another node invalidated this key. */
    void invalidated(K key);

    /** Another node's load of this key failed or was given up; its lease is free. */
    void failed(K key);

    /** Another node invalidated everything. */
    void invalidatedAll();

    /** Announcements no longer arrive, until {@link #subscribed} is called again. */
    void subscriptionLost();

    /**
     * Announcements arrive from now on, for the first time or again; whatever was announced before was missed. Stores
     * that hear from the start need not call this.
     */
    void subscribed();
}
