package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.testkit.Patience;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JVMs with a hundred callers each on one key: whatever its state, the loader runs once in all of them together. */
class MultiProcessTest {
    private static final int MOST = 4;

    private static final List<Process> NODES = new ArrayList<>();

    private static TestRedis server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> redis;
    private static RedisStore store;

    @BeforeAll
    static void start() throws Exception {
        server = TestRedis.start();
        client = RedisClient.create(server.uri());
        redis = client.connect();
        store = RedisStore.connect(server.uri());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        for (int i = 0; i < MOST; i++) {
            NODES.add(new ProcessBuilder(
                            java,
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            NodeProcess.class.getName(),
                            server.uri(),
                            "node" + i)
                    .redirectErrorStream(true)
                    .redirectOutput(new File("/dev/null"))
                    .start());
        }
        for (int i = 0; i < MOST; i++) {
            assertThat(report()).isEqualTo("ready");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (Process node : NODES) {
            node.destroyForcibly();
            node.waitFor(10, TimeUnit.SECONDS);
        }
        store.close();
        client.shutdown();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void aColdKeyIsLoadedOnce(int nodes) {
        assertThat(readOn(nodes, "cold " + nodes)).containsExactly("load 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void anExpiredKeyIsLoadedOnce(int nodes) {
        String key = "expired " + nodes;
        try (Shop brief = new Shop(store, "processes", builder -> builder.expireAfterWrite(Duration.ofMillis(300)))) {
            brief.source("brief").get(key);
            String stored = new String(
                    new Layout("corral", "processes", 1)
                            .of(key.getBytes(StandardCharsets.UTF_8))
                            .value(),
                    StandardCharsets.UTF_8);
            assertThat(redis.sync().exists(stored)).isEqualTo(1);
            // By the server's clock: a node that knows it less well may count an entry as expired a moment before.
            Patience.until("the entry expires", () -> redis.sync().exists(stored) == 0);
        }
        assertThat(readOn(nodes, key)).containsExactly("load 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void aKeyThatWasJustInvalidatedIsLoadedOnce(int nodes) {
        String key = "invalidated " + nodes;
        assertThat(readOn(nodes, key)).containsExactly("load 1");
        assertThat(readOn(nodes, key)).containsExactly("load 1");
        try (Shop shop = new Shop(store, "processes")) {
            assertThat(shop.cache.invalidate(key)).isEqualTo(Delivery.APPLIED);
        }
        assertThat(readOn(nodes, key)).containsExactly("load 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void aKeyThatIsInvalidatedWhileItIsLoadedIsLoadedOnceMore(int nodes) {
        String key = "overtaken " + nodes;
        order(nodes, key);
        Patience.until("the load has begun", () -> "1".equals(redis.sync().get("loads:" + key)));
        try (Shop shop = new Shop(store, "processes")) {
            assertThat(shop.cache.invalidate(key)).isEqualTo(Delivery.APPLIED);
        }
        reports(nodes);
        // Those who asked before may have either value, and whoever asks now has the new one.
        assertThat(readOn(nodes, key)).containsExactly("load 2");
        assertThat(redis.sync().get("loads:" + key)).isEqualTo("2");
    }

    /** Has that many nodes read the key at the same moment; what their callers got, all together. */
    private static Set<String> readOn(int nodes, String key) {
        order(nodes, key);
        Set<String> answers = reports(nodes);
        assertThat(answers).hasSize(1); // nobody has another value than the others
        assertThat(redis.sync().get("loads:" + key)).isEqualTo(loads(answers));
        return answers;
    }

    private static String loads(Set<String> answers) {
        return answers.iterator().next().substring("load ".length());
    }

    private static void order(int nodes, String key) {
        for (int i = 0; i < nodes; i++) {
            redis.async().rpush("orders:node" + i, key);
        }
    }

    private static Set<String> reports(int nodes) {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < nodes; i++) {
            answers.addAll(List.of(report().split(",", -1)));
        }
        return answers;
    }

    private static String report() {
        KeyValue<String, String> report = redis.sync().blpop(30, "reports");
        assertThat(report).as("a node's report").isNotNull();
        return report.getValue();
    }
}
