package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the store leaves on the server, and what it says about it. */
class PrefixTest {
    @Test
    void allKeysBeginWithThePrefixAndOnlyGenerationsStayForEver() throws IOException {
        try (TestRedis server = TestRedis.start();
                RedisStore store =
                        RedisStore.builder(server.uri()).prefix("shop").connect()) {
            Steps steps = new Steps(store, "things");
            steps.put("put", "value");
            Steps.await(steps.region.commit("loaded", steps.grant("loaded"), Steps.draft("value")));
            Steps.await(steps.region.fail("failed", steps.grant("failed"), Duration.ofSeconds(5), "down"));
            steps.grant("loading");
            Steps.await(steps.region.touch("loading"));
            server.ask(redis -> {
                assertThat(redis.keys("*")).isNotEmpty().allSatisfy(key -> {
                    assertThat(key).startsWith("shop:{things:");
                    assertThat(redis.ttl(key) > 0).as(key).isEqualTo(!key.endsWith(":g"));
                });
                return null;
            });
        }
    }

    @Test
    void twoPrefixesDoNotMeet() throws IOException {
        try (TestRedis server = TestRedis.start();
                RedisStore one = RedisStore.builder(server.uri()).prefix("one").connect();
                RedisStore two = RedisStore.builder(server.uri()).prefix("two").connect()) {
            new Steps(one, "things").put("key", "value");
            Steps there = new Steps(two, "things");
            assertThat(there.text("key")).isNull();
            Steps.await(there.region.invalidateAll());
            assertThat(new Steps(one, "things").text("key")).isEqualTo("value");
        }
    }

    @Test
    void aServerThatEvictsTheShortestLivedIsWarnedAboutOnce() throws IOException {
        try (TestRedis server = TestRedis.start("maxmemory-policy volatile-ttl");
                Log log = new Log("dev.corral.redis", Level.WARN);
                RedisStore store = RedisStore.connect(server.uri())) {
            Patience.until("the warning", () -> !log.lines().isEmpty());
            assertThat(log.lines()).singleElement().asString().contains("volatile-ttl", "allkeys-lru");
            assertThat(store.breaker().allows()).isTrue();
        }
    }

    @Test
    void aServerWithAnotherPolicyIsNot() throws IOException {
        try (TestRedis server = TestRedis.start("maxmemory-policy allkeys-lru");
                Log log = new Log("dev.corral.redis", Level.WARN);
                RedisStore store = RedisStore.connect(server.uri())) {
            new Steps(store, "things").put("key", "value"); // answered after the policy was
            assertThat(log.lines()).isEmpty();
        }
    }
}
