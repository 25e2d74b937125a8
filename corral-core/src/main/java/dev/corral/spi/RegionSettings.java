package dev.corral.spi;

import dev.corral.KeyCodec;
import java.time.Duration;

/**
 * What a store must know to open a cache's region.
 *
 * @param name the cache's name, the same on all nodes
 * @param keyCodec keys to bytes and back; stores that keep references do not use it
 * @param schemaVersion the application's version of the values' form; part of the key
 * @param recordTime how long a record outlives the last sign of its load
 * @param timeout within what time a step must be answered; a put that reaches the store later must have no effect
 */
public record RegionSettings<K>(
        String name, KeyCodec<K> keyCodec, int schemaVersion, Duration recordTime, Duration timeout) {}
