package dev.corral;

import org.jspecify.annotations.Nullable;

/** Computes the value of a key, usually with a query. */
@FunctionalInterface
public interface Loader<K, V> {
    /**
     * Loads the value. May read this cache for other keys, and other caches; reading its own key is a
     * {@link RecursiveLoadException}.
     *
     * @return the value, or null for "known absent"
     * @throws Exception unchecked ones reach the callers of this process as they are, checked ones in a
     *     {@link LoadFailedException}
     */
    @Nullable
    V load(K key) throws Exception;
}
