package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The test's side of Redis: what can be done to it, and what it counts. */
final class ChaosRedis implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final RedisClient client;
    private final RedisCommands<String, String> commands;
    private final Path binary;
    private long pid;

    /** For the server whose files are in that folder. */
    ChaosRedis(String uri, Path folder) {
        this.folder = folder;
        RedisURI address = RedisURI.create(uri);
        address.setTimeout(Duration.ofSeconds(10));
        this.port = address.getPort();
        this.client = RedisClient.create(address);
        this.commands = client.connect().sync();
        this.pid = number("server", "process_id");
        try {
            this.binary = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "exe"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    String version() {
        return text("server", "redis_version");
    }

    void stop() {
        Signal.stop(pid);
    }

    void goOn() {
        Signal.goOn(pid);
    }

    void kill() {
        Signal.kill(pid);
    }

    boolean isRunning() {
        return !Signal.isGone(pid);
    }

    /** On the same port, and empty. */
    void start() {
        ProcessBuilder server = new ProcessBuilder(
                binary.toString(), folder.resolve("redis.conf").toString());
        pid = Signal.start(server.directory(folder.toFile()), folder.resolve("redis.log"));
        Patience.until("Redis answers", this::answers);
    }

    private boolean answers() {
        try {
            return number("server", "process_id") == pid;
        } catch (RedisException notYet) {
            return false;
        }
    }

    void flush() {
        commands.flushall();
    }

    void set(String setting, String value) {
        commands.configSet(setting, value);
    }

    long usedMemory() {
        return number("memory", "used_memory");
    }

    long evicted() {
        return number("stats", "evicted_keys");
    }

    long counter(String name) {
        String value = commands.get(name);
        return value == null ? 0 : Long.parseLong(value);
    }

    private long number(String section, String name) {
        return Long.parseLong(text(section, name));
    }

    private String text(String section, String name) {
        return commands.info(section).replaceAll("(?s).*\\b" + name + ":(\\S+).*", "$1");
    }

    /** The one that was started here; the first one belongs to the servers. */
    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        if (isRunning()) {
            goOn();
            Signal.kill(pid);
        }
    }
}
