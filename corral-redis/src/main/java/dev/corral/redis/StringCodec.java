package dev.corral.redis;

import dev.corral.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text in UTF-8. Bytes that are not UTF-8 are refused, not guessed at. */
public final class StringCodec implements Codec<String> {
    /** The one instance. */
    public static final StringCodec UTF_8 = new StringCodec();

    private StringCodec() {}

    @Override
    public byte[] encode(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }
}
