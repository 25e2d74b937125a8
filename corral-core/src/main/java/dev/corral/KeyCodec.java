package dev.corral;

import dev.corral.engine.KeyCodecs;
import java.util.UUID;

/**
 * Turns keys into bytes and back. Two keys that are equal must have the same bytes, and two that are not must not.
 * Must be safe for use by many threads.
 */
public interface KeyCodec<K> {
    /** The key's bytes. */
    byte[] encode(K key);

    /**
     * The key of these bytes.
     *
     * @throws IllegalArgumentException if no key has them
     */
    K decode(byte[] bytes);

    /**
     * The codec for keys of that type: text in UTF-8, numbers in decimal, {@link UUID}s in their usual form, enums by
     * name.
     *
     * @throws IllegalArgumentException if the type is none of those; the message says what to write instead
     */
    static <K> KeyCodec<K> of(Class<K> type) {
        return KeyCodecs.of(type);
    }
}
