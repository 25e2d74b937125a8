package dev.corral.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The connection that hears announcements, shared by all caches of the store. Lettuce subscribes again by itself after a
 * reconnect; when the heartbeat finds the connection deaf it is replaced.
 */
final class Channels implements AutoCloseable {
    /** Hears one channel. */
    interface Ear {
        void heard(byte[] message);

        void lost();

        /** The server has confirmed the subscription, maybe not for the first time. */
        void subscribed();
    }

    private final RedisClient client;
    private final RedisURI uri;
    private final Map<String, List<Ear>> ears = new ConcurrentHashMap<>();
    private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private boolean connecting;
    private boolean down = true;
    private boolean closed;

    Channels(RedisClient client, RedisURI uri) {
        this.client = client;
        this.uri = uri;
        client.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
                lostIfCurrent(gone);
            }
        });
    }

    /** Opens the connection if there is none, and subscribes to everything that somebody listens to. */
    void connect() {
        synchronized (this) {
            if (connection != null || connecting || closed) {
                return;
            }
            connecting = true;
        }
        client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri).whenComplete((open, failure) -> {
            synchronized (this) {
                connecting = false;
                if (failure != null || closed) {
                    return; // the heartbeat, or the breaker's probe, comes by again
                }
                connection = open;
            }
            open.addListener(new Listener(open));
            ears.keySet().forEach(channel -> open.async().subscribe(channel.getBytes(StandardCharsets.US_ASCII)));
        });
    }

    void listen(byte[] channel, Ear ear) {
        ears.computeIfAbsent(name(channel), c -> new CopyOnWriteArrayList<>()).add(ear);
        StatefulRedisPubSubConnection<byte[], byte[]> open = current();
        if (open != null) {
            open.async().subscribe(channel);
        }
        connect();
    }

    void forget(byte[] channel, Ear ear) {
        boolean last = ears.computeIfPresent(name(channel), (c, all) -> {
                    all.remove(ear);
                    return all.isEmpty() ? null : all;
                })
                == null;
        StatefulRedisPubSubConnection<byte[], byte[]> open = current();
        if (last && open != null && open.isOpen()) {
            open.async().unsubscribe(channel);
        }
    }

    /** The connection is open but nothing comes through it. */
    void replaceDeaf() {
        StatefulRedisPubSubConnection<byte[], byte[]> deaf;
        synchronized (this) {
            deaf = connection;
            connection = null;
        }
        if (deaf != null) {
            deaf.closeAsync();
        }
        becomeDown();
        connect();
    }

    private static String name(byte[] channel) {
        return new String(channel, StandardCharsets.US_ASCII);
    }

    private synchronized @Nullable StatefulRedisPubSubConnection<byte[], byte[]> current() {
        return connection;
    }

    private void lostIfCurrent(RedisChannelHandler<?, ?> gone) {
        if (gone == current()) {
            becomeDown();
        }
    }

    private void becomeDown() {
        synchronized (this) {
            if (down) {
                return;
            }
            down = true;
        }
        ears.values().forEach(all -> all.forEach(Ear::lost));
    }

    private void subscribed(byte[] channel) {
        synchronized (this) {
            down = false;
        }
        ears.getOrDefault(name(channel), List.of()).forEach(Ear::subscribed);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        ears.clear();
    }

    private final class Listener extends RedisPubSubAdapter<byte[], byte[]> {
        private final StatefulRedisPubSubConnection<byte[], byte[]> of;

        Listener(StatefulRedisPubSubConnection<byte[], byte[]> of) {
            this.of = of;
        }

        @Override
        public void message(byte[] channel, byte[] message) {
            ears.getOrDefault(name(channel), List.of()).forEach(ear -> ear.heard(message));
        }

        @Override
        public void subscribed(byte[] channel, long count) {
            if (of == current()) {
                Channels.this.subscribed(channel);
            }
        }
    }
}
