package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the system does to processes. */
final class Signal {
    private Signal() {}

    /** Starts a process that writes into that log, after what is there; its number. */
    static long start(ProcessBuilder process, Path log) {
        try {
            return process.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .pid();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void stop(long pid) {
        send("STOP", pid);
    }

    static void goOn(long pid) {
        send("CONT", pid);
    }

    /** Ends it there and then, and waits until it is gone. */
    static void kill(long pid) {
        send("KILL", pid);
        awaitGone(pid);
    }

    static void send(String name, long pid) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " " + pid + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    static void awaitGone(long pid) {
        Patience.until("process " + pid + " is gone", () -> isGone(pid));
    }

    /** Also when its end only waits to be noticed by whoever inherited it. */
    static boolean isGone(long pid) {
        try {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return status.charAt(status.lastIndexOf(')') + 2) == 'Z';
        } catch (IOException e) {
            return true;
        }
    }
}
