package dev.corral.engine;

import dev.corral.Cache;
import dev.corral.CacheSettings;

/** The engine's one door, for the builder. */
public final class CacheFactory {
    private CacheFactory() {}

    /** A cache of these settings and parts, running. */
    public static <K, V> Cache<K, V> create(CacheSettings settings, Parts<K, V> parts) {
        if (!parts.store().keepsReferences()) {
            // Here, where somebody hears it: the job has no caller to tell that a key has no bytes.
            parts.precomputeKeys().forEach(parts.keyCodec()::encode);
        }
        return new CorralCache<>(new Engine<>(settings, parts));
    }
}
