package dev.corral.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.lab.Main;
import dev.corral.lab.servers.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A race in a JVM of its own, with all it started. The child's temporary files are in a folder of the test. */
final class RaceProcess implements AutoCloseable {
    private static final String SMALL_AND_LONG =
            "--query-time 20ms --nodes 1 --strategies early --rate 1 --warm-up 10m";
    private static final long MOST_SECONDS = 60;

    private final Path temp;
    private final Path errors;
    private final Process driver;
    private List<ProcessHandle> started = List.of();

    private RaceProcess(Path temp, Path errors, Process driver) {
        this.temp = temp;
        this.errors = errors;
        this.driver = driver;
    }

    /** In a process group of its own, like a command in a terminal, and open to SIGINT even if the build ignores it. */
    static RaceProcess start(Path folder, String... options) throws IOException {
        Path temp = Files.createDirectories(folder.resolve("tmp"));
        Path errors = folder.resolve("stderr");
        List<String> command = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temp, Main.class.getName(), "race"));
        command.addAll(List.of(SMALL_AND_LONG.split(" ")));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return new RaceProcess(temp, errors, builder.start());
    }

    /** Waits until Redis, PostgreSQL, the watcher and the application process run, and takes down who they are. */
    void awaitServers() {
        until("the servers run", this::serversRun);
        started = running();
    }

    private boolean serversRun() {
        String commands = running().stream().map(RaceProcess::commandLine).collect(Collectors.joining("\n"));
        return pidIn("redis.pid").isPresent()
                && pidIn("postmaster.pid").isPresent()
                && commands.contains("watch.sh")
                && commands.contains("AppMain");
    }

    private List<ProcessHandle> running() {
        assertThat(driver.isAlive()).as(errors()).isTrue();
        Stream<ProcessHandle> database = pidIn("postmaster.pid").flatMap(ProcessHandle::of).stream()
                .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.descendants()));
        return Stream.concat(driver.descendants(), database).toList();
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    /** The number in the first line of that file, once it is there. */
    private Optional<Long> pidIn(String name) {
        try (Stream<Path> files = Files.find(temp, 4, (file, attributes) -> file.endsWith(name))) {
            return files.findFirst()
                    .flatMap(RaceProcess::firstLine)
                    .map(String::strip)
                    .map(Long::valueOf);
        } catch (IOException | UncheckedIOException beingWritten) {
            return Optional.empty();
        }
    }

    private static Optional<String> firstLine(Path file) {
        try {
            return Files.readAllLines(file).stream().findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void signal(String name) throws Exception {
        kill(name, Long.toString(driver.pid()));
    }

    void signalGroup(String name) throws Exception {
        kill(name, "-" + driver.pid());
    }

    private static void kill(String name, String whom) throws Exception {
        int exit = new ProcessBuilder("kill", "-" + name, "--", whom)
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    int exitCode() throws Exception {
        assertThat(driver.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
        return driver.exitValue();
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Neither those that ran before the signal, nor any that has begun since, nor a file. */
    void assertNothingIsLeft() {
        assertThat(started).hasSizeGreaterThan(4);
        until("all processes have ended", () -> started.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(namingTheFolder()).isEmpty();
        assertThat(temp).isEmptyDirectory();
    }

    private List<ProcessHandle> namingTheFolder() {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).contains(temp.toString()))
                .toList();
    }

    private void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what + "; " + errors()).isNegative();
            Pause.millis(20);
        }
    }

    /** A test that failed leaves nothing either. */
    @Override
    public void close() {
        driver.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
