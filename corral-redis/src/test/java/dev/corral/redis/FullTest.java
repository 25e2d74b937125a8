package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.spi.StoreException;
import java.io.IOException;
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
