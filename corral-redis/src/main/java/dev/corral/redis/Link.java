package dev.corral.redis;

import dev.corral.spi.Breaker;
import dev.corral.spi.Platform;
import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection for commands, shared by all caches of the store, with its breaker and its knowledge of the server's
 * clock. A command is sent once at most: what was under way when the connection broke has failed, and is never sent
 * again after a reconnect, when a later step may have come before it.
 */
final class Link implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);

    private final RedisClient client;
    private final RedisURI uri;
    private final Platform platform;
    private final Duration probeTimeout;
    private final byte[] probeKey;
    private final Runnable onConnected;
    private final ClockKeeper clock;
    private final Breaker breaker;
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting;
    private final Set<Consumer<StoreException>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Link(
            ClientResources resources,
            SslOptions sslOptions,
            RedisURI uri,
            Platform platform,
            Duration probeTimeout,
            byte[] probeKey,
            Runnable onConnected) {
        this.uri = uri;
        this.probeKey = probeKey;
        this.platform = platform;
        this.probeTimeout = probeTimeout;
        this.onConnected = onConnected;
        this.clock = new ClockKeeper(platform.time());
        this.breaker = new Breaker(platform, this::probe);
        this.client = RedisClient.create(resources);
        client.setOptions(options(sslOptions));
        client.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
                if (gone == connection && !closed) {
                    clock.forget(); // another server may answer next, with another clock
                    breaker.open("the connection to " + where() + " is lost");
                    forgetWhatIsUnderWay(gone);
                }
            }
        });
    }

    private static ClientOptions options(SslOptions sslOptions) {
        return ClientOptions.builder()
                .sslOptions(sslOptions)
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build();
    }

    RedisClient client() {
        return client;
    }

    Breaker breaker() {
        return breaker;
    }

    ClockKeeper clock() {
        return clock;
    }

    /** Host and port, without what is secret. */
    String where() {
        return uri.getHost() == null ? "the server" : uri.getHost() + ":" + uri.getPort();
    }

    /** Connects; when that fails the breaker is open and goes on trying. */
    void start(Duration patience) {
        try {
            probe().toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            breaker.open("interrupted while connecting to " + where());
        } catch (ExecutionException e) {
            unreachable(Troubles.rootOf(e));
        } catch (TimeoutException e) {
            unreachable("no answer within " + patience.toMillis() + " ms");
        }
    }

    /** Nobody listens to the breaker yet, so the reason is logged. */
    private void unreachable(String reason) {
        LOG.warn("{} cannot be reached, caches work without it until it can: {}", where(), reason);
        breaker.open(where() + " cannot be reached: " + reason);
    }

    /**
     * A sign of life that also sets the clock: the store is used only once its time is known. It deletes a key that is not
     * there, because a server that still loads its data, or has become a replica, tells its time but takes no writes. A
     * connection that fails it is given up for a new one: it may be dead without anybody having closed it, or lead to a
     * server that is not the master any more.
     */
    private CompletionStage<?> probe() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("closed"));
        }
        return connected().thenCompose(open -> {
            long sent = platform.time().nanoTime();
            CompletionStage<Void> alive = bounded(
                            probeTimeout, open.async().time().thenCombine(takesWrites(open), (now, none) -> now))
                    .thenAccept(now -> {
                        clock.measured(sent, micros(now));
                        onConnected.run();
                    });
            return alive.whenComplete((done, failure) -> {
                if (failure != null) {
                    giveUp(open);
                }
            });
        });
    }

    /** A refusal for want of a permission, say, is an answer of a server that is there. */
    private CompletionStage<?> takesWrites(StatefulRedisConnection<byte[], byte[]> open) {
        return open.async().del(probeKey).exceptionally(failure -> {
            StoreException trouble = Troubles.of(failure);
            if (trouble.reason() == Reason.REFUSED) {
                return 0L;
            }
            throw trouble;
        });
    }

    private void giveUp(StatefulRedisConnection<byte[], byte[]> dead) {
        synchronized (this) {
            if (connection == dead) {
                connection = null;
                connecting = null;
            }
        }
        clock.forget();
        dead.closeAsync();
    }

    static long micros(List<byte[]> time) {
        return Long.parseLong(new String(time.get(0), java.nio.charset.StandardCharsets.US_ASCII)) * 1_000_000
                + Long.parseLong(new String(time.get(1), java.nio.charset.StandardCharsets.US_ASCII));
    }

    private synchronized CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected() {
        if (connecting == null || connecting.isCompletedExceptionally()) {
            connecting = client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                    .toCompletableFuture()
                    .thenApply(open -> {
                        connection = open;
                        return open;
                    });
        }
        return connecting;
    }

    /** Runs commands; their answer comes within the time-out or the stage fails. Always with a {@link StoreException}. */
    <T> CompletionStage<T> run(
            Duration timeout, Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> commands) {
        StatefulRedisConnection<byte[], byte[]> open = connection;
        if (open == null) {
            return CompletableFuture.failedFuture(
                    new StoreException(Reason.DISCONNECTED, where() + " is not connected", null));
        }
        CompletableFuture<T> result = underWay(); // before it is sent: the connection may break at that very moment
        try {
            bound(result, timeout, commands.apply(open.async()));
        } catch (RuntimeException e) {
            result.completeExceptionally(Troubles.of(e));
        }
        return result;
    }

    private <T> CompletableFuture<T> underWay() {
        CompletableFuture<T> result = new CompletableFuture<>();
        Consumer<StoreException> end = result::completeExceptionally;
        underWay.add(end);
        result.whenComplete((value, failure) -> underWay.remove(end));
        return result;
    }

    /**
     * Lettuce would send again what it had sent, whatever the replay filter says, and forgets without a word what the
     * filter takes out: both ends here and now.
     */
    @SuppressWarnings("deprecation") // nothing else takes out what is to be sent again
    private void forgetWhatIsUnderWay(RedisChannelHandler<?, ?> broken) {
        broken.getChannelWriter().reset();
        for (Consumer<StoreException> end : underWay) {
            end.accept(new StoreException(Reason.DISCONNECTED, "the connection to " + where() + " is lost", null));
        }
    }

    private <T> CompletionStage<T> bounded(Duration timeout, CompletionStage<T> answer) {
        CompletableFuture<T> result = new CompletableFuture<>();
        bound(result, timeout, answer);
        return result;
    }

    private <T> void bound(CompletableFuture<T> result, Duration timeout, CompletionStage<T> answer) {
        Timeout alarm = client.getResources()
                .timer()
                .newTimeout(
                        rung -> result.completeExceptionally(new StoreException(
                                Reason.TIMEOUT, "no answer within " + timeout.toMillis() + " ms", null)),
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        result.whenComplete((value, failure) -> {
            alarm.cancel();
            answer.toCompletableFuture().cancel(true); // unless it has ended
        });
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(Troubles.of(failure));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        breaker.close();
        connection = null;
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
