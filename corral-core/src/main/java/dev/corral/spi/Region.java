package dev.corral.spi;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One cache's part of a store: the lease protocol. A key has a value and, while somebody loads it, a record: a random
 * epoch, the owner's token and deadline, the order in which loads began, a dirty mark and a failure marker. The record
 * outlives the lease; invalidation and put delete it.
 *
 * <p>Every step is atomic per key and idempotent per token. No step throws: trouble arrives as a {@link StoreException}
 * in the returned stage. A step is never carried out after its stage has failed, except that one already under way may
 * have happened; a put has no effect if it reaches the store after the region's timeout.
 */
public interface Region<K> extends AutoCloseable {

    /** A plain read. */
    CompletionStage<Reading> read(K key);

    /** Plain reads in as few round trips as the store allows; the answer has every key. */
    CompletionStage<Map<K, Reading>> readAll(Collection<K> keys);

    /**
     * Asks for the right to load. In one step: a stored entry that is fresh by the store's clock and not the
     * {@code known} one is handed over; a live failure marker is reported; a live lease of somebody else means busy;
     * else the lease is taken, and the record created if there is none.
     *
     * @param token names the caller; a second call with it while it holds the lease gets the same grant, which
     *     lasts as long as if it were new
     * @param lease how long the lease lasts unless renewed; zero takes none and is never busy (for strategies in which
     *     everybody, or one caller per process, may load)
     * @param known the commit id of an entry that the caller has seen and does not want, or null
     */
    CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known);

    /** Prolongs the lease to that much from now; false if the token does not own it any more. */
    CompletionStage<Boolean> renew(K key, Token token, Duration lease);

    /**
     * Stores the entry, with the grant's token as commit id, if the record still has the grant's epoch and no
     * later-begun load has stored; drops the lease if it is the token's and the failure marker; announces. A draft that
     * is fresh for zero time passes the same checks but leaves the key without a value. Asked again, because the answer
     * was lost, it says the same, until the next lease is taken.
     */
    CompletionStage<Committed> commit(K key, Grant grant, Draft entry);

    /**
     * Ends a load without a value: drops the lease if it is still the grant's, and announces. With a back-off a failure
     * marker is left, unless the grant's epoch is over or somebody else has taken the lease.
     *
     * @param backOff how long nobody may load the key; zero leaves no marker
     * @param reason the failure's text, for callers on other nodes
     */
    CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason);

    /** Stores the entry, with the token as commit id, deletes the record and announces. */
    CompletionStage<Void> put(K key, Token token, Draft entry);

    /** Sets the dirty mark if somebody loads the key. */
    CompletionStage<Touched> touch(K key);

    /** Deletes values and records and announces. */
    CompletionStage<Void> invalidate(Collection<K> keys);

    /** Makes every value and record of this cache void, on all nodes, without looking for them; announces. */
    CompletionStage<Void> invalidateAll();

    /** What this node knows of the store's clock now. */
    StoreClock clock();

    /** Stops listening. Data stays. */
    @Override
    void close();
}
