package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.CacheEvent;
import dev.corral.Delivery;
import dev.corral.spi.StoreException;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose memory is full and that throws nothing out. */
class FullTest {
    private TestRedis server;
    private RedisStore store;
    private Raw raw;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start("maxmemory-policy noeviction");
        store = RedisStore.connect(server.uri());
        raw = new Raw(server.uri());
    }

    @AfterEach
    void stop() throws IOException {
        raw.close();
        store.close();
        server.close();
    }

    private void full(boolean full) {
        raw.send("CONFIG", "SET", "maxmemory", full ? "1" : "0");
    }

    @Test
    void loadsAreServedAndNotStored() {
        try (Shop shop = new Shop(store, "full")) {
            assertThat(shop.get("before")).isEqualTo("value of before");
            full(true);
            assertThat(shop.get("key")).isEqualTo("value of key");
            assertThat(shop.get("key")).isEqualTo("value of key");
            assertThat(shop.loads).hasValue(3);
            assertThat(shop.get("before")).isEqualTo("value of before");
            assertThat(shop.loads).hasValue(3);
            assertThat(shop.cache.stats().storeFailures()).isPositive();
            assertThat(store.breaker().allows()).isTrue();
            full(false);
            shop.get("key");
            shop.get("key");
            assertThat(shop.loads).hasValue(4);
        }
    }

    /** Puts keys of somebody else's there until no more fit, and a little less would, for buffers come and go. */
    private void fillUp() {
        long limit = Long.parseLong(info("used_memory")) + 4_000_000;
        raw.send("CONFIG", "SET", "maxmemory", String.valueOf(limit));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        raw.send("SET", "others:" + i, "x".repeat(100_000));
                    }
                })
                .hasMessageContaining("OOM");
        raw.send("CONFIG", "SET", "maxmemory", String.valueOf(limit - 1_000_000));
    }

    private void makeRoom() {
        for (int i = 0; i < 1_000; i++) {
            raw.send("DEL", "others:" + i);
        }
    }

    private static String record(String cache, String key) {
        byte[] name = new Layout("corral", cache, 1)
                .of(key.getBytes(StandardCharsets.UTF_8))
                .record();
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    private String info(String name) {
        return server.ask(redis -> redis.info("memory"))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aServerThatFillsUpDuringALoadRefusesTheCommitAndTheCallerHasItsValue() {
        try (Shop here = new Shop(store, "full");
                Shop there = new Shop(store, "full")) {
            here.source(key -> {
                fillUp();
                return "loaded meanwhile";
            });
            assertThat(here.get("key")).isEqualTo("loaded meanwhile");
            assertThat(here.events)
                    .anySatisfy(event -> assertThat(event)
                            .isInstanceOfSatisfying(CacheEvent.StoreFailed.class, failed -> {
                                assertThat(failed.step()).isEqualTo("commit");
                                assertThat(failed.reason()).contains("OOM");
                            }));
            assertThat(here.cache.stats().storeFailures()).isPositive();
            assertThat(store.breaker().allows()).isTrue();
            assertThat(raw.send("HGET", record("full", "key"), "t"))
                    .as("the lease, which nobody is to wait for")
                    .containsExactly((Object) null);

            here.source("loaded again");
            assertThat(here.get("key")).isEqualTo("loaded again");
            assertThat(there.get("key")).isEqualTo("value of key");
            makeRoom();
            assertThat(here.get("key")).isEqualTo("loaded again");
            assertThat(there.get("key")).as("stored again").isEqualTo("loaded again");
            assertThat(here.loads).hasValue(3);
            assertThat(there.loads).hasValue(1);
        }
    }

    @Test
    void invalidationsNeedNoMemory() {
        try (Shop shop = new Shop(store, "full")) {
            shop.source("old").get("key");
            full(true);
            assertThat(shop.source("new").cache.invalidate("key")).isEqualTo(Delivery.APPLIED);
            assertThat(shop.get("key")).isEqualTo("new");
        }
    }

    @Test
    void aPutThatDoesNotFitInvalidates() {
        try (Shop shop = new Shop(store, "full")) {
            shop.source("old").get("key");
            full(true);
            assertThat(shop.cache.put("key", "put")).isEqualTo(Delivery.QUEUED);
            Patience.until(
                    "the invalidation in its stead", () -> shop.cache.stats().queuedWrites() == 0);
            assertThat(shop.source("new").get("key")).isNotEqualTo("old");
        }
    }

    @Test
    void theStepIsRefused() {
        Steps steps = new Steps(store, "full");
        full(true);
        assertThat(Steps.failure(steps.region.acquire("key", Steps.token(), Steps.LONG, null))
                        .reason())
                .isEqualTo(StoreException.Reason.REFUSED);
        assertThat(Steps.failure(steps.region.put("key", Steps.token(), Steps.draft("v")))
                        .reason())
                .isEqualTo(StoreException.Reason.REFUSED);
    }
}
