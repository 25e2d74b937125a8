package dev.corral.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** However a race is ended, neither a process nor a file of it is left. Real processes, real signals. */
@EnabledOnOs(OS.LINUX)
class EndOfRaceTest {
    /** What a shell says of a process that a signal ended: 128 and the signal's number. */
    private static final int INTERRUPTED = 130;

    private static final int TERMINATED = 143;
    private static final int KILLED = 137;

    private static RaceProcess interrupted;
    private static RaceProcess terminated;
    private static RaceProcess killed;

    /** All at once, because starting takes longest; so it also shows that the end of one is none of the others. */
    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        interrupted = RaceProcess.start(folder.resolve("interrupted"));
        terminated = RaceProcess.start(folder.resolve("terminated"));
        killed = RaceProcess.start(folder.resolve("killed"));
    }

    @AfterAll
    static void end() {
        Stream.of(interrupted, terminated, killed).filter(Objects::nonNull).forEach(RaceProcess::close);
    }

    @Test
    void afterCtrlCNothingIsLeft() throws Exception {
        interrupted.awaitServers();
        interrupted.signalGroup("INT"); // as a terminal does: everybody who is in the foreground gets it

        assertThat(interrupted.exitCode()).isEqualTo(INTERRUPTED);
        interrupted.assertNothingIsLeft();
        assertThat(interrupted.errors()).doesNotContain("\tat ");
    }

    @Test
    void afterSigtermNothingIsLeft() throws Exception {
        terminated.awaitServers();
        terminated.signal("TERM");

        assertThat(terminated.exitCode()).isEqualTo(TERMINATED);
        terminated.assertNothingIsLeft();
        assertThat(terminated.errors()).doesNotContain("\tat ");
    }

    /** Nothing of the driver's own runs any more: its watcher stops the servers and removes the folder. */
    @Test
    void afterAKilledDriverItsWatcherTidiesUp() throws Exception {
        killed.awaitServers();
        killed.signal("KILL");

        assertThat(killed.exitCode()).isEqualTo(KILLED);
        killed.assertNothingIsLeft();
    }
}
