package dev.corral.lab.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.lab.LabException;
import dev.corral.lab.shop.Calibration;
import dev.corral.lab.shop.Calibrator;
import dev.corral.lab.shop.Shop;
import dev.corral.lab.shop.ShopDataSource;
import dev.corral.lab.shop.TrendingQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Real servers start, serve and leave nothing behind. */
class ServersTest {

    @Test
    void bothServersStartServeAndAreGoneAfterwards() throws Exception {
        Path folder;
        long redisPid;
        long databasePid;
        try (Cleanup cleanup = new Cleanup()) {
            TempFolder temp = TempFolder.create();
            folder = temp.path();
            Servers servers = Servers.open(Optional.empty(), Optional.empty(), temp, cleanup);
            databasePid = servers.databasePid().orElseThrow();
            redisPid = ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().command().orElse("").startsWith(folder.toString()))
                    .map(ProcessHandle::pid)
                    .findFirst()
                    .orElseThrow();
            assertThat(servers.toString()).doesNotContain("jdbc");

            try (Connection connection =
                    ShopDataSource.of(servers.jdbcUrl(), "test_shop", "test").getConnection()) {
                Shop shop = Shop.create(connection, "test_shop");
                Calibrator calibrator = new Calibrator(shop, Duration.ofMillis(60));
                calibrator.fill();
                Calibration calibration = calibrator.calibrate();

                assertThat(calibration.runs()).hasSize(5);
                assertThat(calibration.queryAlone()).isIn(calibration.runs());
                assertThat(calibration.queryAlone())
                        .as("about what was asked for, on a busy machine too")
                        .isBetween(Duration.ofMillis(15), Duration.ofMillis(240));
                assertThat(TrendingQuery.run(connection, calibration.window())).startsWith("[{\"id\":");
            }
            assertThat(Files.readString(servers.databaseLog().orElseThrow())).contains(TrendingQuery.MARKER);
        }
        assertThat(folder).doesNotExist();
        assertGone(redisPid);
        assertGone(databasePid);
    }

    /** Whoever inherited the process may still have to notice its end. */
    private static void assertGone(long pid) throws Exception {
        Optional<ProcessHandle> left = ProcessHandle.of(pid);
        if (left.isPresent()) {
            left.get().onExit().get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void theLastOpenedIsClosedFirstAndEachOnce() {
        List<String> closed = new ArrayList<>();
        Cleanup cleanup = new Cleanup();
        AutoCloseable first = cleanup.add(() -> closed.add("first"));
        AutoCloseable second = cleanup.add(() -> closed.add("second"));
        AutoCloseable third = cleanup.add(() -> {
            closed.add("third");
            throw new IllegalStateException("does not matter to the others");
        });
        cleanup.closeEarly(second);
        cleanup.close();
        cleanup.close();

        assertThat(List.of(first, second, third)).doesNotContainNull();
        assertThat(closed).containsExactly("second", "third", "first");
        assertThatThrownBy(() -> cleanup.add(() -> closed.add("late"))).isInstanceOf(LabException.class);
        assertThat(closed).as("not left open").endsWith("late");
    }
}
