package dev.corral.lab.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The processor time of a process tree, from Linux's {@code /proc}: what the process and its children have used, those
 * that have ended included.
 */
public final class ProcessCpu {
    private static final Path PROC = Path.of("/proc");

    /** USER_HZ, which is 100 on every Linux that Java runs on. */
    private static final long MILLIS_PER_TICK = 10;

    /** Fields of {@code stat} after the command's name, which may hold blanks and ends with the last ')'. */
    private static final int PARENT = 1;

    private static final int FIRST_TIME = 11;
    private static final int TIMES_OF_ITSELF = 2;
    private static final int TIMES_WITH_ENDED_CHILDREN = 4;

    private ProcessCpu() {}

    /** Of this process and its children; nothing where there is no {@code /proc}. */
    public static Optional<Duration> ofTree(long pid) {
        Optional<String[]> root = stat(PROC.resolve(Long.toString(pid)));
        if (root.isEmpty()) {
            return Optional.empty();
        }
        long ticks = times(root.get(), TIMES_WITH_ENDED_CHILDREN);
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                ticks += stat(process)
                        .filter(fields -> fields[PARENT].equals(Long.toString(pid)))
                        .map(fields -> times(fields, TIMES_OF_ITSELF))
                        .orElse(0L);
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(ticks * MILLIS_PER_TICK));
    }

    private static long times(String[] fields, int count) {
        long ticks = 0;
        for (int i = 0; i < count; i++) {
            ticks += Long.parseLong(fields[FIRST_TIME + i]);
        }
        return ticks;
    }

    private static Optional<String[]> stat(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
