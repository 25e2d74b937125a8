package dev.corral.lab.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A program that somebody still holds open for writing cannot be run. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only here is a file that is open for writing not run")
class FreshBinaryTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicInteger pauses = new AtomicInteger();

    @TempDir
    private Path folder;

    private Path binary;

    @BeforeEach
    void write() throws IOException {
        binary = Files.copy(Path.of("/bin/true"), folder.resolve("program"));
    }

    @Test
    void itIsTriedAgainUntilTheOtherHasClosedTheFile() throws Exception {
        FileChannel other = FileChannel.open(binary, StandardOpenOption.WRITE);
        Process process = start(LONG, () -> {
            if (pauses.incrementAndGet() == 3) {
                close(other);
            }
        });
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(pauses).hasValue(3);
    }

    @Test
    void itIsNotTriedForEver() throws IOException {
        try (FileChannel other = FileChannel.open(binary, StandardOpenOption.WRITE)) {
            assertThat(other.isOpen()).isTrue();
            assertThatThrownBy(() -> start(Duration.ZERO, pauses::incrementAndGet))
                    .isInstanceOf(IOException.class)
                    .hasMessageFindingMatch("error=26|error: 26"); // JDK 17, and later ones
        }
    }

    @Test
    void anotherFailureIsNotTriedAgain() throws IOException {
        Files.delete(binary);
        assertThatThrownBy(() -> start(LONG, pauses::incrementAndGet)).isInstanceOf(IOException.class);
        assertThat(pauses).hasValue(0);
    }

    private Process start(Duration limit, Runnable pause) throws IOException {
        return FreshBinary.start(new ProcessBuilder(binary.toString()), limit, pause);
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
