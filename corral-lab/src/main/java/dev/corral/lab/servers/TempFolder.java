package dev.corral.lab.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The one folder that everything a run writes is in; removed on {@link #close}. */
public final class TempFolder implements AutoCloseable {
    private static final int TRIES = 40;
    private static final long BETWEEN_TRIES_MILLIS = 50;

    private final Path path;

    private TempFolder(Path path) {
        this.path = path;
    }

    /** A new, empty folder that only this user can read. */
    public static TempFolder create() {
        try {
            return new TempFolder(Files.createTempDirectory("corral-").toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** A new folder inside. */
    Path folder(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes it with all that is in it, also while somebody (a start that Ctrl-C overtook) still writes into it. */
    @Override
    public void close() throws IOException {
        for (int tries = 1; Files.exists(path); tries++) {
            try {
                Files.walkFileTree(path, new Remover());
            } catch (DirectoryNotEmptyException beingWritten) {
                if (tries == TRIES) {
                    throw beingWritten;
                }
                Pause.millis(BETWEEN_TRIES_MILLIS);
            }
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** Removes bottom up; somebody else (a server that stops, the watcher) may remove files at the same time. */
    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
