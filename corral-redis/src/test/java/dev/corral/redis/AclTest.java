package dev.corral.redis;

import static dev.corral.redis.Steps.LONG;
import static dev.corral.redis.Steps.await;
import static dev.corral.redis.Steps.failure;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.corral.spi.Committed;
import dev.corral.spi.Grant;
import dev.corral.spi.StoreException;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users that may do some things only. */
class AclTest {
    /** What docs/redis.md says a user needs, and nothing more. */
    private static final String NEEDED = "-@all +hello +auth +ping +client +time +mget +get +getrange +set +del +hmget"
            + " +hset +hdel +hincrby +pexpire +evalsha +eval +publish +subscribe +unsubscribe";

    private static TestRedis server;

    @BeforeAll
    static void start() throws IOException {
        server = TestRedis.start();
        try (Raw raw = new Raw(server.uri())) {
            user(raw, "enough", "~corral:*", "");
            user(raw, "mute", "~corral:*", "-publish");
            user(raw, "reader", "~corral:*", "-set -hset");
            user(raw, "stranger", "~other:*", "");
            user(raw, "timeless", "~corral:*", "-time");
        }
    }

    private static void user(Raw raw, String name, String keys, String less) {
        String rules = "ACL SETUSER " + name + " on >pw " + keys + " resetchannels &corral:* " + NEEDED + " " + less;
        raw.send(rules.trim().split(" "));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void whatTheManualListsIsEnough() {
        try (RedisStore store = as("enough");
                RedisStore otherStore = as("enough")) {
            Steps steps = new Steps(store, "acl");
            Steps other = new Steps(otherStore, "acl");
            Patience.until("announcements arrive", () -> {
                steps.put("key", "value");
                return other.news.heard().contains("stored key");
            });
            assertThat(await(steps.region.readAll(List.of("key", "nothing")))).hasSize(2);
            Grant grant = steps.grant("loaded");
            assertThat(await(steps.region.renew("loaded", grant.token(), LONG))).isTrue();
            await(steps.region.touch("loaded"));
            assertThat(await(steps.region.commit("loaded", grant, Steps.draft("value"))))
                    .isEqualTo(Committed.STORED_LOAD_AGAIN);
            await(steps.region.fail("failed", steps.grant("failed"), Duration.ofSeconds(5), "down"));
            await(steps.region.invalidate(Set.of("key", "loaded")));
            await(steps.region.invalidateAll());
            steps.region.close();
            assertThat(store.breaker().allows()).isTrue();
        }
    }

    @Test
    void aMissingPermissionRefusesTheStepAndNotTheStore() {
        try (RedisStore store = as("reader")) {
            Steps steps = new Steps(store, "acl");
            assertThat(failure(steps.region.put("key", Steps.token(), Steps.draft("value")))
                            .reason())
                    .isEqualTo(StoreException.Reason.REFUSED);
            assertThat(failure(steps.region.acquire("key", Steps.token(), LONG, null))
                            .reason())
                    .isEqualTo(StoreException.Reason.REFUSED);
            assertThat(steps.text("key")).isNull();
            assertThat(store.breaker().allows()).isTrue();
        }
    }

    @Test
    void keysOfOthersAreRefused() {
        try (RedisStore store = as("stranger")) {
            StoreException trouble = failure(new Steps(store, "acl").region.read("key"));
            assertThat(trouble.reason()).isEqualTo(StoreException.Reason.REFUSED);
            assertThat(trouble).hasMessageContaining("NOPERM");
        }
    }

    @Test
    void withoutItsTimeTheServerIsNotUsed() {
        try (RedisStore store = as("timeless")) {
            assertThat(store.breaker().allows()).isFalse();
        }
    }

    @Test
    void whoMayNotPublishIsRefusedAndNotTakenForDeaf() {
        try (RedisStore store =
                RedisStore.builder(uri("mute")).heartbeat(Duration.ofMillis(20)).connect()) {
            Steps steps = new Steps(store, "acl");
            assertThat(failure(steps.region.put("key", Steps.token(), Steps.draft("value")))
                            .reason())
                    .isEqualTo(StoreException.Reason.REFUSED);
            Steps listener = new Steps(store, "acl");
            for (int i = 0; i < 200; i++) {
                listener.text("key"); // at least ten heartbeats' time
            }
            assertThat(listener.news.heard()).doesNotContain("lost");
        }
    }

    /** The way it is often set up: nobody gets in without a user's name, not even with the right password. */
    @Test
    void withTheDefaultUserOffTheNamedOneGetsInAndItsPasswordIsNowhereToBeRead() throws IOException {
        String secret = "s3cr3t-pa55word";
        String named = "user app on >" + secret + " ~corral:* resetchannels &corral:* " + NEEDED;
        try (TestRedis closed = TestRedis.start("user default off", named);
                Log ours = new Log("dev.corral", Level.TRACE);
                Log lettuce = new Log("io.lettuce", Level.DEBUG)) {
            String address = "127.0.0.1:" + closed.port();
            try (RedisStore app = RedisStore.connect("redis://app:" + secret + "@" + address)) {
                assertThat(app.breaker().allows()).isTrue();
                new Steps(app, "acl").put("key", "value");
                assertThat(new Steps(app, "acl").text("key")).isEqualTo("value");
            }
            for (String who : List.of("app:not-" + secret + "@", "default:" + secret + "@", ":" + secret + "@", "")) {
                try (RedisStore stranger = RedisStore.connect("redis://" + who + address);
                        Shop shop = new Shop(stranger, "stranger")) {
                    assertThat(stranger.breaker().allows()).as(who).isFalse();
                    assertThat(shop.get("key")).isEqualTo("value of key");
                    StoreException trouble = failure(new Steps(stranger, "acl").region.read("key"));
                    assertThat(ThrowableText.of(trouble) + shop.events + stranger)
                            .doesNotContain(secret);
                }
            }
            assertThat(ours.lines()).anyMatch(line -> line.contains(address + " cannot be reached"));
            assertThat(ours.lines().toString() + lettuce.lines())
                    .contains("WRONGPASS")
                    .doesNotContain(secret);
        }
    }

    private static RedisStore as(String user) {
        return RedisStore.connect(uri(user));
    }

    private static String uri(String user) {
        return "redis://" + user + ":pw@127.0.0.1:" + server.port();
    }
}
