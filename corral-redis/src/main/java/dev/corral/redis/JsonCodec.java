package dev.corral.redis;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.corral.Codec;
import java.io.IOException;
import java.lang.reflect.Type;

/**
 * JSON by Jackson. The type is fixed by the program and never read from the bytes (no default typing). Fields that the
 * type does not know are ignored, so that two versions of an application can share entries while one adds a field.
 * Jackson modules on the class path, such as the one for {@code java.time}, are used.
 */
public final class JsonCodec<V> implements Codec<V> {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private JsonCodec(ObjectMapper mapper, Type type) {
        JavaType javaType = mapper.constructType(type);
        this.writer = mapper.writerFor(javaType);
        this.reader = mapper.readerFor(javaType);
    }

    /** For a plain class or record. */
    public static <V> JsonCodec<V> of(Class<V> type) {
        return new JsonCodec<>(Mapper.DEFAULT, type);
    }

    /** For a type with arguments. */
    public static <V> JsonCodec<V> of(TypeRef<V> type) {
        return new JsonCodec<>(Mapper.DEFAULT, type.type());
    }

    /** With the application's own mapper. Do not switch default typing on: it lets bytes choose classes. */
    public static <V> JsonCodec<V> of(ObjectMapper mapper, TypeRef<V> type) {
        return new JsonCodec<>(mapper, type.type());
    }

    @Override
    public byte[] encode(V value) throws IOException {
        return writer.writeValueAsBytes(value);
    }

    @Override
    public V decode(byte[] bytes) throws IOException {
        return reader.readValue(bytes);
    }

    /** Made on first use. */
    private static final class Mapper {
        static final ObjectMapper DEFAULT = JsonMapper.builder()
                .findAndAddModules()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .build();
    }
}
