package dev.corral.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Which bytes a cache's keys are in Redis. The braces are a hash tag: value, record and generation of a bucket live in
 * one slot of a cluster. docs/redis.md shows it.
 */
final class Layout {
    static final int BUCKETS = 256;

    private final byte[][] tags = new byte[BUCKETS][];
    private final byte[] value;
    private final byte[] record;
    private final byte[] channel;

    Layout(String prefix, String cache, int schemaVersion) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            tags[bucket] = ascii(prefix + ":{" + cache + ":" + bucket + "}:");
        }
        this.value = ascii("v" + schemaVersion + ":");
        this.record = ascii("r" + schemaVersion + ":");
        this.channel = ascii(prefix + ":" + cache + ":news");
    }

    /** A key with its bucket. */
    Names of(byte[] key) {
        return new Names(key, bucket(key));
    }

    static int bucket(byte[] key) {
        CRC32C crc = new CRC32C();
        crc.update(key);
        return (int) (crc.getValue() & (BUCKETS - 1));
    }

    /** Common to all schema versions: invalidating everything means all of them. */
    byte[] generation(int bucket) {
        return join(tags[bucket], new byte[] {'g'}, new byte[0]);
    }

    /** The names of what belongs to one key. */
    final class Names {
        final byte[] key;
        final int bucket;

        private Names(byte[] key, int bucket) {
            this.key = key;
            this.bucket = bucket;
        }

        byte[] value() {
            return join(tags[bucket], value, key);
        }

        byte[] record() {
            return join(tags[bucket], record, key);
        }

        byte[] generation() {
            return Layout.this.generation(bucket);
        }

        /** A write under another schema version that somebody carries over. */
        byte[] event(long event) {
            return join(tags[bucket], new byte[] {'x'}, ascii(Long.toHexString(event)));
        }
    }

    byte[] channel() {
        return channel.clone();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] join(byte[] tag, byte[] kind, byte[] key) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(tag.length + kind.length + key.length);
        all.writeBytes(tag);
        all.writeBytes(kind);
        all.writeBytes(key);
        return all.toByteArray();
    }
}
