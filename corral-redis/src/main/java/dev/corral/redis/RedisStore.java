package dev.corral.redis;

import dev.corral.spi.Breaker;
import dev.corral.spi.Platform;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis or Valkey server as the shared tier: one connection for commands, one for announcements, one breaker, however
 * many caches. One server, 6.2 to 8; not yet Cluster and Sentinel.
 *
 * <p>If the server cannot be reached the store opens all the same, its breaker open; caches work as in an outage until it
 * can.
 */
public final class RedisStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(10);
    private static final Duration SLOWEST_RETRY = Duration.ofSeconds(2); // Lettuce's own is 30 s

    private final String prefix;
    private final Platform platform;
    private final ClientResources resources;
    private final Link link;
    private final Channels channels;
    private final Heartbeat heartbeat;
    private final EvictionPolicy evictionPolicy;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisStore(Builder builder, RedisURI uri) {
        this.prefix = builder.prefix;
        this.platform = builder.platform;
        this.resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.exponential(FIRST_RETRY, SLOWEST_RETRY, 2, TimeUnit.MILLISECONDS))
                .build();
        this.link = new Link(
                resources,
                builder.sslOptions == null ? SslOptions.create() : builder.sslOptions,
                uri,
                platform,
                builder.connectTimeout,
                probeKey(prefix),
                this::connected);
        this.channels = new Channels(link.client(), uri);
        this.heartbeat = new Heartbeat(link, channels, platform, builder.heartbeat, prefix);
        this.evictionPolicy = new EvictionPolicy(link);
        link.start(builder.connectTimeout);
        heartbeat.start();
    }

    /**
     * Connects with the default options.
     *
     * @param uri {@code redis://[user:password@]host[:port][/database]}, {@code rediss://} for TLS
     * @throws IllegalArgumentException if it is no such URI
     */
    public static RedisStore connect(String uri) {
        return builder(uri).connect();
    }

    /**
     * Begins to set options.
     *
     * @param uri as for {@link #connect}; special characters in user and password are percent-encoded
     * @throws IllegalArgumentException if it is no such URI; the message does not show it
     */
    public static Builder builder(String uri) {
        return new Builder(parsed(uri));
    }

    private static RedisURI parsed(String uri) {
        try {
            RedisURI parsed = RedisURI.create(uri);
            String host = parsed.getHost();
            // What Lettuce takes for a host when the port is no number, or when a password has a bare '#'.
            boolean misread = host != null && (uri.contains("#") || (host.contains(":") && !host.startsWith("[")));
            if (!misread) {
                return parsed;
            }
        } catch (RuntimeException e) {
            // Neither its message nor the URI is passed on: both would show the password.
            LOG.debug("not a Redis URI: {}", e.getClass().getName());
        }
        throw new IllegalArgumentException("uri must be redis://[user:password@]host[:port][/database] or rediss://…,"
                + " with special characters in user and password percent-encoded, got something else");
    }

    private static byte[] probeKey(String prefix) {
        return (prefix + ":probe").getBytes(StandardCharsets.US_ASCII);
    }

    private void connected() {
        evictionPolicy.checkOnce();
    }

    @Override
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener) {
        return new RedisRegion<>(link, channels, platform, prefix, settings, listener);
    }

    @Override
    public boolean keepsReferences() {
        return false;
    }

    @Override
    public Breaker breaker() {
        return link.breaker();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            heartbeat.close();
            channels.close();
            link.close();
            resources.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Host and port only. */
    @Override
    public String toString() {
        return "RedisStore[" + link.where() + "]";
    }

    /** The store's options. */
    public static final class Builder {
        private final RedisURI uri;
        private String prefix = "corral";
        private Platform platform = Platform.system();
        private Duration connectTimeout = Duration.ofSeconds(2);
        private Duration heartbeat = Duration.ofSeconds(1);
        private @Nullable SslOptions sslOptions;

        private Builder(RedisURI uri) {
            this.uri = uri;
        }

        /** What all keys and channels begin with; {@code corral} by default. */
        public Builder prefix(String prefix) {
            if (!prefix.matches("[\\x21-\\x7e&&[^{}:]]{1,100}")) {
                throw new IllegalArgumentException(
                        "prefix must be 1 to 100 printable ASCII characters without spaces, colons and braces, got "
                                + prefix);
            }
            this.prefix = prefix;
            return this;
        }

        /** How long connecting, and each attempt to connect again, may take; 2 seconds by default. */
        public Builder connectTimeout(Duration timeout) {
            this.connectTimeout = positive("connectTimeout", timeout);
            return this;
        }

        /** How often the announcement channel is tested; 1 second by default. A deaf one is noticed after four. */
        public Builder heartbeat(Duration every) {
            this.heartbeat = positive("heartbeat", every);
            return this;
        }

        /**
         * Which certificates are trusted, and the client's own, for {@code rediss://}; by default what the JVM trusts and
         * none. For a private authority: {@code SslOptions.builder().trustManager(new File("ca.pem")).build()}.
         */
        public Builder sslOptions(SslOptions options) {
            this.sslOptions = options;
            return this;
        }

        /** Replaces time, randomness and delays. */
        public Builder platform(Platform platform) {
            this.platform = platform;
            return this;
        }

        /**
         * Connects.
         *
         * @throws IllegalArgumentException if there are TLS options for a URI without TLS
         */
        public RedisStore connect() {
            if (sslOptions != null && !uri.isSsl()) {
                throw new IllegalArgumentException("sslOptions need a rediss:// URI, got redis://");
            }
            uri.setTimeout(connectTimeout);
            if (uri.getClientName() == null) {
                uri.setClientName("corral");
            }
            return new RedisStore(this, uri);
        }

        private static Duration positive(String option, Duration got) {
            if (got.isZero() || got.isNegative()) {
                throw new IllegalArgumentException(option + " must be positive, got " + got);
            }
            return got;
        }
    }
}
