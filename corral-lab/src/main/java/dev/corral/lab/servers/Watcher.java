package dev.corral.lab.servers;

import dev.corral.lab.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small shell process that outlives a killed driver and tidies up after it.
 *
 * <p>PostgreSQL and Redis are no children of the driver that die with it: after {@code kill -9} they would run for ever.
 * The watcher holds the other end of a pipe from us, which the system closes however we end, and then stops the servers
 * and removes the folder. It runs in a session of its own where {@code setsid} exists, so that a signal to the driver's
 * process group does not take it along.
 */
final class Watcher implements AutoCloseable {
    private final Process process;

    private Watcher(Process process) {
        this.process = process;
    }

    /** Watches over this folder from now on. */
    static Watcher over(TempFolder folder) {
        try (InputStream script = Watcher.class.getResourceAsStream("watch.sh")) {
            if (script == null) {
                throw new LabException("watch.sh is missing from the class path");
            }
            Path file = folder.path().resolve("watch.sh");
            Files.copy(script, file);
            List<String> command = new ArrayList<>(List.of("sh", file.toString(), folder.toString()));
            if (hasSetsid()) {
                command.add(0, "setsid");
            }
            return new Watcher(new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new LabException("could not start the watcher: " + e.getMessage(), e);
        }
    }

    private static boolean hasSetsid() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) || Files.isExecutable(Path.of("/bin/setsid"));
    }

    /** Ends the watch. To be closed after the folder is gone, else the watcher does its work. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }

    @Override
    public String toString() {
        return "watcher " + process.pid();
    }
}
