package dev.corral.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection that sends anything. Text stands for bytes, one character for each. */
final class Raw implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    Raw(String uri) {
        client = RedisClient.create(uri);
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    /** Sends the command and returns its answer, in a list; what is absent is null. */
    List<Object> send(String... command) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        for (int i = 1; i < command.length; i++) {
            arguments.add(command[i].getBytes(StandardCharsets.ISO_8859_1));
        }
        return connection
                .sync()
                .dispatch(keyword(command[0]), new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments);
    }

    /** The bytes of a key that is there. */
    String get(String key) {
        byte[] found = connection.sync().get(key.getBytes(StandardCharsets.ISO_8859_1));
        return new String(found, StandardCharsets.ISO_8859_1);
    }

    private static ProtocolKeyword keyword(String name) {
        return new ProtocolKeyword() {
            @Override
            public byte[] getBytes() {
                return name.getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(java.time.Duration.ZERO, java.time.Duration.ofSeconds(1));
    }
}
