package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The test's side of PostgreSQL as a process. */
final class ChaosDatabase {
    private final Path log;
    private final String jdbcUrl;
    private final List<String> command;
    private long pid;

    ChaosDatabase(long postmaster, Path log, String jdbcUrl) {
        this.pid = postmaster;
        this.log = log;
        this.jdbcUrl = jdbcUrl;
        this.command = commandOf(postmaster);
    }

    /** As it was started, for root by way of a user namespace: PostgreSQL does not run as root. */
    private static List<String> commandOf(long postmaster) {
        Path proc = Path.of("/proc", Long.toString(postmaster));
        try {
            List<String> command = new ArrayList<>();
            if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
                command.addAll(List.of("unshare", "-U"));
            }
            command.addAll(List.of(Files.readString(proc.resolve("cmdline")).split("\0")));
            return command;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All its processes end at once, and nothing is saved: an immediate shutdown. */
    void kill() {
        Signal.send("QUIT", pid);
        Signal.awaitGone(pid);
    }

    boolean isRunning() {
        return !Signal.isGone(pid);
    }

    /** On the same port and data, and waits until it answers. */
    void start() {
        pid = Signal.start(new ProcessBuilder(command), log);
        Patience.until("PostgreSQL answers", this::answers);
    }

    private boolean answers() {
        try {
            DriverManager.getConnection(jdbcUrl).close();
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }
}
