package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.CacheEvent;
import dev.corral.spi.StoreException;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is there and does not answer. */
class FrozenTest {
    private TestRedis server;
    private RedisStore store;
    private RedisStore other;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start();
        server.rememberPid();
        store = RedisStore.builder(server.uri())
                .connectTimeout(Duration.ofMillis(500))
                .connect();
        other = RedisStore.connect(server.uri());
    }

    @AfterEach
    void stop() throws Exception {
        server.signal("CONT");
        store.close();
        other.close();
        server.close();
    }

    @Test
    void afterAFewTimeOutsNobodyWaitsForItAnyMore() throws Exception {
        Duration timeout = Duration.ofMillis(200);
        try (Shop shop = new Shop(store, "frozen", builder -> builder.storeTimeout(timeout))) {
            shop.get("key");
            server.signal("STOP");
            Duration first = Patience.time(() -> assertThat(shop.get("first")).isEqualTo("value of first"));
            assertThat(first).isLessThan(Duration.ofSeconds(4));
            for (int i = 0; store.breaker().allows(); i++) {
                assertThat(i).isLessThan(5);
                shop.get("again " + i);
            }
            Patience.until(
                    "it is told", () -> shop.saw(CacheEvent.StoreLost.class)); // a moment after the breaker is open
            Duration taken = Patience.time(() -> {
                for (int i = 0; i < 100; i++) {
                    shop.get("key " + i);
                }
            });
            assertThat(taken).isLessThan(Duration.ofSeconds(2));
            server.signal("CONT");
            Patience.until("the store is used again", store.breaker()::allows);
            assertThat(shop.get("key")).isEqualTo("value of key");
        }
    }

    @Test
    void eachStepIsAnsweredWithinItsTimeOut() throws Exception {
        Steps steps = new Steps(store, "bounded", Duration.ofMillis(200));
        server.signal("STOP");
        Duration taken = Patience.time(() -> {
            assertThat(Steps.failure(steps.region.read("key")).reason()).isEqualTo(StoreException.Reason.TIMEOUT);
            assertThat(Steps.failure(steps.region.invalidate(java.util.Set.of("a", "b", "c")))
                            .reason())
                    .isEqualTo(StoreException.Reason.TIMEOUT);
            assertThat(Steps.failure(steps.region.invalidateAll()).reason()).isEqualTo(StoreException.Reason.TIMEOUT);
        });
        assertThat(taken).isBetween(Duration.ofMillis(600), Duration.ofMillis(1_500));
    }

    @Test
    void aPutThatWasHeldUpDoesNotLandAfterALaterInvalidation() throws Exception {
        Steps here = new Steps(store, "held", Duration.ofMillis(200));
        server.signal("STOP");
        assertThat(Steps.failure(here.region.put("key", Steps.token(), Steps.draft("old")))
                        .reason())
                .isEqualTo(StoreException.Reason.TIMEOUT);
        long sent = System.nanoTime();
        Patience.until("the put is surely too late", () -> System.nanoTime() - sent > 100_000_000);
        server.signal("CONT");
        Steps there = new Steps(other, "held");
        Steps.await(there.region.invalidate(java.util.Set.of("key")));
        assertThat(here.text("key")).isNull(); // asked on the put's own connection, so after it
        assertThat(there.text("key")).isNull();
    }
}
