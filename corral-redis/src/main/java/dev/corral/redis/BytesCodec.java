package dev.corral.redis;

import dev.corral.Codec;

/** Bytes as they are. */
public final class BytesCodec implements Codec<byte[]> {
    /** The one instance. */
    public static final BytesCodec PLAIN = new BytesCodec();

    private BytesCodec() {}

    @Override
    public byte[] encode(byte[] value) {
        return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }
}
