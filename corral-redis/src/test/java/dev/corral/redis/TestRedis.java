package dev.corral.redis;

import dev.corral.testkit.Relay;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.Function;
import redis.embedded.RedisServer;

/** A real Redis on a free loopback port, for one test class; {@code -Dredis.binary=/path} takes another one. */
final class TestRedis implements AutoCloseable {
    private static final String BINARY = System.getProperty("redis.binary");

    private final int port;
    private final String[] settings;
    private RedisServer server;

    private TestRedis(int port, String... settings) throws IOException {
        this.port = port;
        this.settings = settings;
        boot();
    }

    static TestRedis start(String... settings) throws IOException {
        return new TestRedis(freePort(), settings);
    }

    void boot() throws IOException {
        var builder = RedisServer.newRedisServer()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .setting("appendonly no");
        if (BINARY != null) {
            builder.executableProvider(() -> new File(BINARY));
        }
        for (String setting : settings) {
            builder.setting(setting);
        }
        server = builder.build();
        server.start();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** The way through that relay. */
    String uri(Relay relay) {
        return "redis://127.0.0.1:" + relay.port();
    }

    int port() {
        return port;
    }

    /** Asks the server something over a connection of its own. */
    <T> T ask(Function<io.lettuce.core.api.sync.RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown();
        }
    }

    /** The server's process id. */
    long pid() {
        String info = ask(redis -> redis.info("server"));
        return Long.parseLong(info.replaceAll("(?s).*process_id:(\\d+).*", "$1"));
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid == 0 ? pid() : pid))
                .inheritIO()
                .start()
                .waitFor();
    }

    private long pid;

    /** To be called before the server is frozen and can no longer tell. */
    void rememberPid() {
        pid = pid();
    }

    void stop() throws IOException {
        server.stop();
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
