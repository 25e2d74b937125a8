package dev.corral.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An announcement: what happened, to which key, by whom. Its bytes are kind, schema version (2), sender (8), key.
 */
final class News {
    private static final int HEAD = 1 + Short.BYTES + Long.BYTES;

    private final Kind kind;
    private final int schemaVersion;
    private final long sender;
    private final byte[] key;

    /**
     * What happened to a key.
     *
     * @param schemaVersion of the sender; a write concerns the other versions too
     * @param sender a random id of the sending region, which does not listen to itself
     * @param key the key's bytes; empty for everything
     */
    News(Kind kind, int schemaVersion, long sender, byte[] key) {
        this.kind = kind;
        this.schemaVersion = schemaVersion;
        this.sender = sender;
        this.key = key;
    }

    Kind kind() {
        return kind;
    }

    int schemaVersion() {
        return schemaVersion;
    }

    long sender() {
        return sender;
    }

    byte[] key() {
        return key;
    }

    /** What can have happened. */
    enum Kind {
        STORED('s'),
        PUT('p'),
        INVALIDATED('i'),
        /** By a node that heard of a write under another schema version. */
        RELAYED('r'),
        FAILED('f'),
        ALL('a');

        private final byte code;

        Kind(char code) {
            this.code = (byte) code;
        }
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEAD + key.length)
                .put(kind.code)
                .putShort((short) schemaVersion)
                .putLong(sender)
                .put(key)
                .array();
    }

    /** The announcement, or null if these bytes are none. */
    static @Nullable News read(byte[] bytes) {
        if (bytes.length < HEAD) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte code = in.get();
        for (Kind kind : Kind.values()) {
            if (kind.code == code) {
                int version = Short.toUnsignedInt(in.getShort());
                return new News(kind, version, in.getLong(), Arrays.copyOfRange(bytes, HEAD, bytes.length));
            }
        }
        return null;
    }
}
