package dev.corral.redis;

import dev.corral.spi.Platform;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import org.jspecify.annotations.Nullable;

/**
 * A region's ear on its cache's channel. It does not hear itself. Writes of another schema version are carried over to
 * this one: its values live under other keys, but what they are made from has changed all the same.
 */
final class Subscription<K> implements Channels.Ear {
    private enum State {
        NOT_YET,
        HEARING,
        LOST
    }

    private final Channels channels;
    private final byte[] channel;
    private final RegionSettings<K> settings;
    private final RegionListener<K> listener;
    private final RedisRegion<K> region;
    private final Platform platform;
    private final long self;
    private State state = State.NOT_YET;

    Subscription(
            Channels channels,
            byte[] channel,
            Platform platform,
            RegionSettings<K> settings,
            RegionListener<K> listener,
            RedisRegion<K> region) {
        this.channels = channels;
        this.channel = channel;
        this.settings = settings;
        this.listener = listener;
        this.region = region;
        this.platform = platform;
        this.self = platform.random().nextLong();
    }

    void start() {
        channels.listen(channel, this);
    }

    void close() {
        channels.forget(channel, this);
    }

    byte[] news(News.Kind kind, byte[] key) {
        return new News(kind, settings.schemaVersion(), self, platform.random().nextLong(), key).bytes();
    }

    @Override
    public void heard(byte[] message) {
        News news = News.read(message);
        if (news == null || news.sender() == self) {
            return;
        }
        if (news.kind() == News.Kind.ALL) {
            listener.invalidatedAll(); // generations are common to all schema versions
            return;
        }
        boolean ours = news.schemaVersion() == (settings.schemaVersion() & 0xFFFF);
        boolean write = news.kind() == News.Kind.PUT || news.kind() == News.Kind.INVALIDATED;
        if (!ours && !write) {
            return;
        }
        if (!ours) {
            region.relay(news.key(), news.event());
        }
        K key = decode(news.key());
        if (key != null) {
            tell(ours ? news.kind() : News.Kind.INVALIDATED, key);
        }
    }

    private void tell(News.Kind kind, K key) {
        switch (kind) {
            case STORED, PUT -> listener.stored(key);
            case INVALIDATED, RELAYED -> listener.invalidated(key);
            case FAILED -> listener.failed(key);
            case ALL -> listener.invalidatedAll();
        }
    }

    /** A key that this cache has no form for is not in its near tier either. */
    private @Nullable K decode(byte[] key) {
        try {
            return settings.keyCodec().decode(key);
        } catch (RuntimeException e) {
            return null;
        }
    }

    @Override
    public void lost() {
        synchronized (this) {
            if (state != State.HEARING) {
                return;
            }
            state = State.LOST;
        }
        listener.subscriptionLost();
    }

    @Override
    public void subscribed() {
        synchronized (this) {
            if (state == State.HEARING) {
                return;
            }
            state = State.HEARING;
        }
        listener.subscribed();
    }
}
