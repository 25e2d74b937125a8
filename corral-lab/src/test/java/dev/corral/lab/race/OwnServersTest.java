package dev.corral.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.corral.lab.Main;
import dev.corral.lab.cli.Terminal;
import dev.corral.lab.servers.Cleanup;
import dev.corral.lab.servers.EmbeddedDatabase;
import dev.corral.lab.servers.EmbeddedRedis;
import dev.corral.lab.servers.Pause;
import dev.corral.lab.servers.TempFolder;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are the user's: the race uses them, lets them run, and takes along what it has put there. */
class OwnServersTest {
    private static final String SECRET = "sesame";
    private static final String TABLES = "select table_name from information_schema.tables where table_schema like ?";

    private static final Cleanup servers = new Cleanup();
    private static String redisUri;
    private static String jdbcUrl;
    private static RedisCommands<String, String> redis;
    private static Connection database;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** With passwords, and a database user who may do no more than create a schema. */
    @BeforeAll
    static void start() throws SQLException {
        TempFolder temp = servers.add(TempFolder.create());
        EmbeddedRedis ownRedis = servers.add(EmbeddedRedis.start(temp));
        EmbeddedDatabase ownDatabase = servers.add(EmbeddedDatabase.start(temp));
        RedisClient client = RedisClient.create(ownRedis.uri());
        servers.add(client::shutdown);
        redis = client.connect().sync();
        redis.configSet("requirepass", SECRET);
        redis.set("mine", "stays");
        database = servers.add(DriverManager.getConnection(ownDatabase.jdbcUrl()));
        try (Statement statement = database.createStatement()) {
            statement.execute("create role me login password '" + SECRET + "'");
            statement.execute("grant create on database postgres to me");
        }
        RedisURI address = RedisURI.create(ownRedis.uri());
        redisUri = "redis://:" + SECRET + "@" + address.getHost() + ":" + address.getPort();
        jdbcUrl = ownDatabase.jdbcUrl().replace("user=postgres", "user=me&password=" + SECRET);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    private int race(String redisUri, String... more) {
        List<String> arguments = new ArrayList<>(List.of("race", "--redis", redisUri, "--postgres", jdbcUrl));
        arguments.addAll(List.of(more));
        return new Main(new Terminal(stream(out), stream(err), false)).run(arguments.toArray(String[]::new));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void areUsedAndLeftRunningAndClean(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("race.json");
        String options = "--query-time 150ms --ttl 1s --nodes 1 --rate 20 --expiries 1 --warm-up 0s"
                + " --strategies early,external --json " + json;
        // Not in the common pool: with two cores it has one thread, and the race's own requests need that.
        CompletableFuture<Integer> race = CompletableFuture.supplyAsync(
                () -> race(redisUri, options.split(" ")), task -> new Thread(task, "race").start());
        awaitUse(race::isDone);
        assertThat(ProcessHandle.current().descendants())
                .as("a watcher is there only if a server is to be stopped")
                .noneMatch(process -> process.info().commandLine().orElse("").contains("watch.sh"));

        assertThat(race.get(2, TimeUnit.MINUTES)).as(printed()).isZero();

        assertClean();
        assertThat(new ObjectMapper().readTree(json.toFile()).path("countedBy").asText())
                .startsWith("pg_stat_activity");
        assertThat(printed()).contains("with the servers given").doesNotContain(SECRET);
    }

    @Test
    void areLeftCleanAfterCtrlCToo(@TempDir Path folder) throws Exception {
        try (RaceProcess race = RaceProcess.start(folder, "--redis", redisUri, "--postgres", jdbcUrl)) {
            awaitUse(() -> false);
            race.signalGroup("INT");

            assertThat(race.exitCode()).isEqualTo(130);
            assertClean();
            assertThat(race.errors()).doesNotContain(SECRET);
        }
    }

    @Test
    void aRedisThatRefusesIsNamedByItsOption() throws SQLException {
        assertThat(race(redisUri.replace(SECRET, "not-" + SECRET))).isEqualTo(1);

        assertThat(printed()).contains("corral race: --redis: Redis does not answer: WRONGPASS");
        assertThat(printed()).doesNotContain(SECRET);
        assertClean();
    }

    /** Until the race has its tables in the one and its entry in the other. */
    private void awaitUse(BooleanSupplier ended) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!tables().contains("order_lines")
                || redis.keys("corral:{corral_race_*}:v1:*").isEmpty()) {
            assertThat(ended.getAsBoolean() || System.nanoTime() - deadline > 0)
                    .as("not used: " + printed())
                    .isFalse();
            Pause.millis(10);
        }
    }

    private static void assertClean() throws SQLException {
        assertThat(tables()).isEmpty();
        assertThat(schemas()).isZero();
        assertThat(redis.keys("*")).containsExactly("mine");
    }

    private static List<String> tables() throws SQLException {
        try (var statement = database.prepareStatement(TABLES)) {
            statement.setString(1, "corral_race_%");
            List<String> names = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
            return names;
        }
    }

    private static int schemas() throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from pg_namespace where nspname like 'corral_race_%'")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
