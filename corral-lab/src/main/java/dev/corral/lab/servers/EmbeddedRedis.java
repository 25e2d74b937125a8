package dev.corral.lab.servers;

import dev.corral.lab.LabException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis on a free loopback port, without persistence, all its files in the temporary folder.
 *
 * <p>Only the binary is taken from the library: its own starter writes a configuration file outside our folder and does
 * not say the process id.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(15);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final Process process;
    private final int port;

    private EmbeddedRedis(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it and waits until it answers. */
    public static EmbeddedRedis start(TempFolder temp) {
        Path folder = temp.folder("redis");
        int port = Loopback.freePort();
        try {
            Path binary = ExecutableProvider.newJarResourceProvider(folder.toFile())
                    .get()
                    .toPath();
            Path configuration = Files.writeString(folder.resolve("redis.conf"), configuration(folder, port));
            ProcessBuilder program = new ProcessBuilder(binary.toString(), configuration.toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis.log").toFile());
            Process process = FreshBinary.start(program, START_LIMIT, () -> Pause.millis(20));
            EmbeddedRedis redis = new EmbeddedRedis(process, port);
            redis.awaitReady(folder.resolve("redis.log"));
            return redis;
        } catch (IOException e) {
            throw new LabException("could not start Redis: " + e.getMessage(), e);
        }
    }

    private static String configuration(Path folder, int port) {
        return String.join(
                "\n",
                "bind " + Loopback.ADDRESS,
                "port " + port,
                "daemonize no",
                "save \"\"",
                "appendonly no",
                "dir \"" + folder + "\"",
                "pidfile \"" + folder.resolve("redis.pid") + "\"",
                "");
    }

    /** Where it listens. */
    public String uri() {
        return "redis://" + Loopback.ADDRESS + ":" + port;
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    private void awaitReady(Path log) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers()) {
            boolean late = System.nanoTime() - deadline > 0;
            if (late || !process.isAlive()) {
                close();
                throw new IOException((late ? "no answer" : "it stopped") + ", its log ends with: " + lastLine(log));
            }
            Pause.millis(20);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(Loopback.address(), port), 500);
            socket.setSoTimeout(500);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return "+PONG".equals(answer.readLine());
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String lastLine(Path log) throws IOException {
        return Files.readString(log).lines().reduce("(empty)", (before, line) -> line);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Redis on port " + port;
    }
}
