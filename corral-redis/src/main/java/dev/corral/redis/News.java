package dev.corral.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An announcement: what happened, to which key, by whom. Its bytes are kind, schema version (2), sender (8), event (8), key.
 */
final class News {
    private static final int HEAD = 1 + Short.BYTES + 2 * Long.BYTES;

    private final Kind kind;
    private final int schemaVersion;
    private final long sender;
    private final long event;
    private final byte[] key;

    /**
     * What happened to a key.
     *
     * @param schemaVersion of the sender; a write concerns the other versions too
     * @param sender a random id of the sending region, which does not listen to itself
     * @param event a random id of what happened, by which those who carry it over agree who does
     * @param key the key's bytes; empty for everything
     */
    News(Kind kind, int schemaVersion, long sender, long event, byte[] key) {
        this.kind = kind;
        this.schemaVersion = schemaVersion;
        this.sender = sender;
        this.event = event;
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

    long event() {
        return event;
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
                .putLong(event)
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
                return new News(
                        kind, version, in.getLong(), in.getLong(), Arrays.copyOfRange(bytes, HEAD, bytes.length));
            }
        }
        return null;
    }
}
