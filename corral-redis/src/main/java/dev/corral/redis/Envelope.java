package dev.corral.redis;

import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.Reading;
import dev.corral.spi.StoredEntry;
import dev.corral.spi.Token;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an entry; docs/redis.md has the table. The scripts put it together, because the instants are the
 * server's; here are its parts and the way back. Whatever the bytes are, reading them never throws.
 */
final class Envelope {
    static final int HEAD = 76;
    static final int ID = 16;
    static final int GENERATION = 8;
    private static final int MAGIC = 0xC0;
    private static final int VERSION = 1;
    private static final int ABSENT = 1;
    private static final byte[] NOTHING = {};

    private Envelope() {}

    static byte[] flags(Draft draft) {
        return new byte[] {(byte) (draft.payload() == null ? ABSENT : 0)};
    }

    static byte[] costs(Cost cost) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(cost.lastNanos())
                .putLong(cost.smoothedNanos())
                .putLong(cost.variationNanos())
                .array();
    }

    static byte[] payload(Draft draft) {
        Object payload = draft.payload();
        return payload == null ? NOTHING : (byte[]) payload;
    }

    static byte[] id(Token token) {
        return ByteBuffer.allocate(ID)
                .putLong(token.high())
                .putLong(token.low())
                .array();
    }

    /**
     * What these bytes are.
     *
     * @param generation the bucket's current one; null makes every value of the bucket void
     */
    static Reading read(byte @Nullable [] bytes, byte @Nullable [] generation) {
        if (bytes == null) {
            return new Reading.Missing();
        }
        if (bytes.length < HEAD || (bytes[0] & 0xFF) != MAGIC || bytes[1] != VERSION) {
            return new Reading.Unreadable();
        }
        if (generation == null || !Arrays.equals(bytes, HEAD - GENERATION, HEAD, generation, 0, generation.length)) {
            return new Reading.Missing();
        }
        StoredEntry entry = entry(bytes);
        boolean sane = entry.writtenAt() > 0
                && entry.writtenAt() <= entry.softExpiry()
                && entry.softExpiry() <= entry.hardExpiry()
                && entry.hardExpiry() < Long.MAX_VALUE / 1_000_000;
        return sane ? new Reading.Found(entry) : new Reading.Unreadable();
    }

    static StoredEntry entry(byte[] bytes) {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        boolean absent = (bytes[2] & ABSENT) != 0;
        head.position(4);
        long writtenAt = head.getLong();
        long softExpiry = head.getLong();
        long hardExpiry = head.getLong();
        Cost cost = new Cost(head.getLong(), head.getLong(), head.getLong());
        Token commitId = new Token(head.getLong(), head.getLong());
        Object payload = absent ? null : Arrays.copyOfRange(bytes, HEAD, bytes.length);
        return new StoredEntry(payload, writtenAt, softExpiry, hardExpiry, cost, commitId);
    }
}
