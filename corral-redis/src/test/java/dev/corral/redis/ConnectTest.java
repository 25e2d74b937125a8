package dev.corral.redis;

import static dev.corral.redis.Steps.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.corral.spi.StoreException;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connecting, or not being able to, without telling secrets. */
class ConnectTest {
    private static final String SECRET = "s3cr3t-pa55word";

    @Test
    void aServerThatIsDownIsAnOutageUntilItComes() throws IOException {
        TestRedis server = TestRedis.start();
        server.stop();
        try (RedisStore store = RedisStore.connect(server.uri())) {
            Steps steps = new Steps(store, "down");
            assertThat(store.breaker().allows()).isFalse();
            assertThat(failure(steps.region.read("key")).reason()).isEqualTo(StoreException.Reason.DISCONNECTED);
            server.boot();
            Patience.until("the store is used", store.breaker()::allows);
            steps.put("key", "value");
            assertThat(steps.text("key")).isEqualTo("value");
            Steps other = new Steps(store, "down");
            Patience.until("announcements arrive", () -> {
                steps.put("key", "value");
                return other.news.heard().contains("stored key");
            });
        } finally {
            server.close();
        }
    }

    @Test
    void aMachineThatDoesNotAnswerHoldsUpTheStartForTheConnectTimeoutAtMost() {
        Duration taken = Patience.time(() -> {
            // an address that is set aside for documentation: nobody answers there
            try (RedisStore store = RedisStore.builder("redis://192.0.2.1:6379")
                    .connectTimeout(Duration.ofMillis(300))
                    .connect()) {
                assertThat(store.breaker().allows()).isFalse();
            }
        });
        assertThat(taken).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void aBadUriIsRefusedWithoutShowingIt() {
        for (String uri : List.of(
                "http://user:" + SECRET + "@host",
                "redis//:" + SECRET + "@host",
                "redis://:" + SECRET + "@host:port",
                "redis://:" + SECRET + "@host/database",
                "redis://:not#encoded" + SECRET + "@host",
                "redis://:not/encoded" + SECRET + "@host",
                "redis://:" + SECRET + "@",
                SECRET,
                "")) {
            assertThatThrownBy(() -> RedisStore.builder(uri))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("redis://")
                    .satisfies(e -> assertThat(ThrowableText.of(e)).doesNotContain(SECRET));
        }
    }

    @Test
    void thePasswordIsNowhereToBeRead() throws IOException {
        try (TestRedis server = TestRedis.start("requirepass " + SECRET);
                Log lettuce = new Log("io.lettuce", Level.DEBUG);
                Log ours = new Log("dev.corral", Level.TRACE)) {
            String address = "127.0.0.1:" + server.port();
            try (RedisStore right = RedisStore.connect("redis://:" + SECRET + "@" + address);
                    RedisStore wrong = RedisStore.connect("redis://:not-" + SECRET + "@" + address)) {
                Steps steps = new Steps(right, "secret");
                steps.put("key", "value");
                assertThat(steps.text("key")).isEqualTo("value");
                assertThat(wrong.breaker().allows()).isFalse();
                StoreException trouble = failure(new Steps(wrong, "secret").region.read("key"));
                assertThat(ThrowableText.of(trouble)).doesNotContain(SECRET);
                assertThat(right + " " + wrong).contains(address).doesNotContain(SECRET);
            }
            assertThat(ours.lines().toString() + lettuce.lines()).doesNotContain(SECRET);
        }
    }

    @Test
    void optionsAreChecked() {
        RedisStore.Builder builder = RedisStore.builder("redis://localhost");
        assertThatThrownBy(() -> builder.prefix("a{b}")).hasMessageContaining("prefix");
        assertThatThrownBy(() -> builder.prefix("")).hasMessageContaining("prefix");
        assertThatThrownBy(() -> builder.heartbeat(Duration.ZERO)).hasMessageContaining("heartbeat");
        assertThatThrownBy(() -> builder.connectTimeout(Duration.ofSeconds(-1))).hasMessageContaining("connectTimeout");
    }

    @Test
    void afterItIsClosedTheStoreIsAnOutage() throws IOException {
        try (TestRedis server = TestRedis.start()) {
            RedisStore store = RedisStore.connect(server.uri());
            Steps steps = new Steps(store, "closed");
            store.close();
            store.close();
            assertThat(failure(steps.region.read("key")).reason()).isEqualTo(StoreException.Reason.DISCONNECTED);
            steps.region.close();
        }
    }
}
