package dev.corral.redis;

import dev.corral.spi.Delays;
import dev.corral.spi.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends itself a message through the server every so often, over the command connection, and expects it back on the one
 * that hears announcements. If it stays away three times the channel has gone deaf. On the way it keeps the clock true.
 */
final class Heartbeat implements Channels.Ear, AutoCloseable {
    private static final int MISSES = 3;

    private final Link link;
    private final Channels channels;
    private final Platform platform;
    private final Duration every;
    private final byte[] channel;
    private int unanswered;
    private Delays.@Nullable Timer timer;
    private boolean closed;

    Heartbeat(Link link, Channels channels, Platform platform, Duration every, String prefix) {
        this.link = link;
        this.channels = channels;
        this.platform = platform;
        this.every = every;
        String id = Long.toHexString(platform.random().nextLong());
        this.channel = (prefix + ":heartbeat:" + id).getBytes(StandardCharsets.US_ASCII);
    }

    void start() {
        channels.listen(channel, this);
        next();
    }

    private synchronized void next() {
        if (!closed) {
            timer = platform.delays().after(every.toNanos(), this::beat);
        }
    }

    private void beat() {
        if (link.breaker().allows()) {
            if (isDeaf()) {
                channels.replaceDeaf();
            }
            channels.connect();
            link.run(every, redis -> redis.publish(channel, channel)).whenComplete((receivers, failure) -> {
                if (failure == null) {
                    sent();
                }
            });
            long asked = platform.time().nanoTime();
            link.run(every, io.lettuce.core.api.async.RedisServerAsyncCommands::time)
                    .whenComplete((now, failure) -> answered(asked, now, failure));
        }
        next();
    }

    /** Time-outs count for the breaker, so that a server that freezes while nobody asks costs the next callers nothing. */
    private void answered(long asked, @Nullable List<byte[]> now, @Nullable Throwable failure) {
        if (now != null) {
            link.clock().measured(asked, Link.micros(now));
        } else if (failure != null) {
            link.breaker().failed(Troubles.of(failure));
        }
    }

    private synchronized void sent() {
        unanswered++;
    }

    private synchronized boolean isDeaf() {
        boolean deaf = unanswered > MISSES;
        if (deaf) {
            unanswered = 0;
        }
        return deaf;
    }

    @Override
    public synchronized void heard(byte[] message) {
        unanswered = 0;
    }

    @Override
    public void lost() {}

    @Override
    public void subscribed() {}

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
