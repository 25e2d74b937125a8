package dev.corral.lab.servers;

import dev.corral.lab.LabException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A real PostgreSQL on a free loopback port, all its files in the temporary folder, that logs when each statement ended
 * and how long it took: the log is how the race counts queries.
 */
public final class EmbeddedDatabase implements AutoCloseable {
    private static final String SETTINGS = String.join(
            "\n",
            "",
            "listen_addresses = '" + Loopback.ADDRESS + "'",
            "unix_socket_directories = ''",
            "jit = off",
            "max_parallel_workers_per_gather = 0",
            "shared_buffers = 256MB",
            "work_mem = 32MB",
            "autovacuum = off",
            "wal_level = minimal",
            "max_wal_senders = 0",
            "max_wal_size = 4GB",
            "log_destination = 'stderr'",
            "log_min_duration_statement = 0",
            "log_line_prefix = '%n|%p|'",
            "log_checkpoints = off",
            "lc_messages = 'C'",
            "");

    private final EmbeddedPostgres server;
    private final Path log;

    private EmbeddedDatabase(EmbeddedPostgres server, Path log) {
        this.server = server;
        this.log = log;
    }

    /** Unpacks, initialises and starts it, and waits until it answers. */
    public static EmbeddedDatabase start(TempFolder temp) {
        Path folder = temp.folder("postgres");
        Path log = folder.resolve("postgres.log");
        System.setProperty("ot.epg.working-dir", folder.toString());
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(folder.toFile())
                    .setDataDirectory(folder.resolve("data"))
                    .setDataDirectoryCustomizer(EmbeddedDatabase::configure)
                    .setLocaleConfig("locale", "C")
                    .setPort(Loopback.freePort())
                    .setPGStartupWait(Duration.ofSeconds(30))
                    .setRegisterShutdownHook(false)
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new EmbeddedDatabase(server, log);
        } catch (IOException | RuntimeException e) {
            throw new LabException("could not start PostgreSQL: " + e.getMessage(), e);
        } catch (ExceptionInInitializerError overtakenByCtrlC) { // its classes want to register for the end of the JVM
            throw new LabException("could not start PostgreSQL: " + overtakenByCtrlC.getCause(), overtakenByCtrlC);
        }
    }

    private static void configure(File data) {
        try {
            Files.writeString(data.toPath().resolve("postgresql.conf"), SETTINGS, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens; no password, since it listens on loopback only. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + Loopback.ADDRESS + ":" + server.getPort() + "/postgres?user=postgres";
    }

    /** What it has written about each statement. */
    public Path log() {
        return log;
    }

    /** The postmaster, parent of all its processes. */
    public long pid() {
        Path file = log.resolveSibling("data").resolve("postmaster.pid");
        try {
            return Long.parseLong(Files.readAllLines(file).get(0).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    @Override
    public String toString() {
        return "PostgreSQL on port " + server.getPort();
    }
}
