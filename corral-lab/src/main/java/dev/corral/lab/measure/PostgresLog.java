package dev.corral.lab.measure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Counts executions in the log of a server that is ours: every one, exactly. */
public final class PostgresLog implements QueryLog {
    /** How this counts, for the reader of a report. */
    public static final String METHOD = "PostgreSQL's log: when each statement ended and how long it took";

    private final Path file;
    private final List<QueryRun> runs = new ArrayList<>();
    private long offset;

    private PostgresLog(Path file, long offset) {
        this.file = file;
        this.offset = offset;
    }

    /** Counts what is written from now on. */
    public static PostgresLog from(Path file) {
        try {
            return new PostgresLog(file, Files.size(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized List<QueryRun> runs() {
        readOn();
        return List.copyOf(runs);
    }

    /** Whole lines only; the rest of a line that is just being written comes next time. */
    private void readOn() {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(Integer.MAX_VALUE - 8, log.length() - offset)];
            log.seek(offset);
            log.readFully(bytes);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end)
                    .lines()
                    .forEach(line -> PostgresLogLine.parse(line).ifPresent(runs::add));
            offset += end;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
