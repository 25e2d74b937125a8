package dev.corral;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache in which a stampede cannot happen. Safe for use by many threads.
 *
 * <p>Reads that wait do so at most for the wait timeout (or the hard timeout, where one is set), except that a
 * synchronous caller that runs the loader on its own thread takes as long as the loader does. Besides what each method
 * says, reads may throw {@link LoadFailedException}, {@link LoadTimeoutException}, {@link LoadRejectedException}, {@link
 * WaitTimeoutException}, {@link WaitInterruptedException}, {@link RecursiveLoadException} and the loader's own unchecked
 * exceptions; asynchronous ones complete with them. After {@link #close} every method throws {@link
 * CacheClosedException}.
 */
public interface Cache<K, V> extends AutoCloseable {

    /** The cache's name. */
    String name();

    /**
     * The value, loaded if need be. Callers of one process share one load, and so do callers of the cluster.
     *
     * @return null if the key is known absent
     * @throws PendingException if there is no value and the cache does not let readers wait
     * @throws IllegalStateException if the cache was built without a loader
     */
    @Nullable
    V get(K key);

    /** As {@link #get(Object)}, loading with this loader; callers that share a load share its leader's loader. */
    @Nullable
    V get(K key, Loader<? super K, ? extends V> loader);

    /** As {@link #get(Object)}; loads on the executor. Cancelling the future gives up this caller only. */
    CompletableFuture<@Nullable V> getAsync(K key);

    /**
     * The values of all these keys; keys known absent are left out. Reads the store in one batch; the keys whose lease
     * this node wins are loaded with one call of the bulk loader, where there is one, and stored before the others are
     * waited for.
     */
    Map<K, V> getAll(Collection<? extends K> keys);

    /** The value if there is a fresh one, or a stale one that the settings allow; else null. Never loads or waits. */
    @Nullable
    V getIfPresent(K key);

    /** Fresh, stale or pending, at once; whatever is missing or stale is loaded in the background. */
    Lookup<V> getIfReady(K key);

    /** As {@link #get(Object)}, with how good the value is. Pending instead of an exception. */
    Lookup<V> lookup(K key);

    /**
     * Stores a value, unless null: then the key becomes known absent.
     *
     * @return {@link Delivery#APPLIED} once no later read yields an older value
     */
    Delivery put(K key, @Nullable V value);

    /** Loads the key anew, or joins a load that is under way; the current value is served meanwhile. */
    CompletableFuture<@Nullable V> refresh(K key);

    /** Forgets the key; a load under way neither fills the cache nor answers reads that begin from now on. */
    Delivery invalidate(K key);

    /** Forgets these keys, in one batch. */
    Delivery invalidateAll(Collection<? extends K> keys);

    /** Forgets everything in this cache, on all nodes. */
    Delivery invalidateAll();

    /**
     * Switches the cache off: reads run the loader (shared within the process, under the limiter) and touch neither
     * near tier nor store. Writes and invalidations still go to the store.
     */
    void bypass();

    /** Switches the cache on again. */
    void rearm();

    /** The counters. */
    CacheStats stats();

    /** Ends timers, scheduled loads and the subscription. The store stays open. A load under way runs to its end. */
    @Override
    void close();
}
