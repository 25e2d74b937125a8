package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.spi.Acquisition;
import dev.corral.spi.StoreException;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that answer something, but are of no use; and connections that nobody has closed, but are dead. */
class RecoveryTest {
    private TestRedis server;
    private Relay relay;
    private RedisStore store;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start();
        server.rememberPid();
        relay = new Relay(server.port());
        store = RedisStore.builder(server.uri(relay))
                .connectTimeout(Duration.ofMillis(300))
                .connect();
    }

    @AfterEach
    void stop() throws Exception {
        server.signal("CONT");
        store.close();
        relay.close();
        server.close();
    }

    @Test
    void aConnectionThatDiedWithoutBeingClosedIsReplaced() {
        Steps steps = new Steps(store, "dead", Duration.ofMillis(100));
        steps.put("key", "value");
        relay.abandon();
        for (int i = 0; store.breaker().allows(); i++) {
            assertThat(i).isLessThan(10);
            store.breaker().failed(Steps.failure(steps.region.read("key")));
        }
        Patience.until("another connection is used", store.breaker()::allows);
        assertThat(steps.text("key")).isEqualTo("value");
    }

    @Test
    void aServerThatHasBecomeAReplicaIsNotUsed() {
        Steps steps = new Steps(store, "replica");
        steps.put("key", "value");
        try (Raw raw = new Raw(server.uri())) {
            raw.send("REPLICAOF", "127.0.0.1", "1");
            StoreException refused = Steps.failure(steps.region.put("key", Steps.token(), Steps.draft("new")));
            assertThat(refused.reason()).isEqualTo(StoreException.Reason.DISCONNECTED);
            store.breaker().failed(refused);
            long start = System.nanoTime();
            Patience.until("half a second without use", () -> {
                assertThat(store.breaker().allows()).isFalse();
                return System.nanoTime() - start > 500_000_000;
            });
            raw.send("REPLICAOF", "NO", "ONE");
        }
        Patience.until("the master is used", store.breaker()::allows);
        steps.put("key", "new");
    }

    @Test
    void whoeverHasGivenUpAskingGetsNoLease() throws Exception {
        Steps steps = new Steps(store, "ghost", Duration.ofMillis(100));
        steps.put("other", "value"); // the server knows the scripts
        steps.grant("also other");
        server.signal("STOP");
        assertThat(Steps.failure(steps.region.acquire("key", Steps.token(), Steps.LONG, null))
                        .reason())
                .isEqualTo(StoreException.Reason.TIMEOUT);
        long sent = System.nanoTime();
        Patience.until("it is surely too late", () -> System.nanoTime() - sent > 100_000_000);
        server.signal("CONT");
        Patience.until("the server answers", () -> "value".equals(textOrNull(steps)));
        // On a slow machine the connection may be replaced between the two.
        AtomicReference<Acquisition> answer = new AtomicReference<>();
        Patience.until("the server can be asked", () -> {
            try {
                answer.set(steps.acquire("key"));
            } catch (CompletionException e) {
                return false;
            }
            return true;
        });
        assertThat(answer.get()).isInstanceOf(Acquisition.Granted.class);
    }

    private static String textOrNull(Steps steps) {
        try {
            return steps.text("other");
        } catch (CompletionException e) {
            return null;
        }
    }

    @Test
    void invalidatingEverythingNeedsNoMemory() {
        try (Raw raw = new Raw(server.uri());
                Shop shop = new Shop(store, "full")) {
            shop.source("old").get("key");
            raw.send("CONFIG", "SET", "maxmemory", "1");
            assertThat(shop.source("new").cache.invalidateAll()).isEqualTo(Delivery.APPLIED);
            assertThat(shop.get("key")).isEqualTo("new");
        }
    }

    @Test
    void readingNothingIsNoTrouble() {
        Steps steps = new Steps(store, "nothing");
        assertThat(Steps.await(steps.region.readAll(java.util.List.of()))).isEmpty();
    }

    @Test
    void afterALongerOutageTheServerIsFoundSoon() throws IOException {
        try (RedisStore direct = RedisStore.connect(server.uri())) {
            server.stop();
            long down = System.nanoTime();
            Patience.until("some time down", () -> System.nanoTime() - down > 5_000_000_000L);
            server.boot();
            server.rememberPid();
            Patience.within(Duration.ofMillis(2_800), "the store is used again", direct.breaker()::allows);
        }
    }
}
