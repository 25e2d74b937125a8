package dev.corral;

import java.util.Map;
import java.util.Set;

/** Computes the values of many keys with one query. */
@FunctionalInterface
public interface BulkLoader<K, V> {
    /**
     * Loads the values.
     *
     * @param keys the keys whose lease this node won; never empty
     * @return the values; a key that is missing, or maps to null, is known absent; keys that were not asked for are
     *     ignored
     * @throws Exception fails all keys asked for, as {@link Loader#load} does one
     */
    Map<K, V> loadAll(Set<K> keys) throws Exception;
}
