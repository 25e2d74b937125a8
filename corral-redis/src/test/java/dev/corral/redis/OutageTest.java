package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.CacheEvent;
import dev.corral.Delivery;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server is gone, or this node is cut off from it. */
class OutageTest {
    private TestRedis server;
    private Relay relay;
    private RedisStore cutOff;
    private RedisStore store;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start();
        relay = new Relay(server.port());
        cutOff = RedisStore.builder(server.uri(relay))
                .connectTimeout(Duration.ofMillis(300))
                .heartbeat(Duration.ofMillis(100))
                .connect();
        store = RedisStore.connect(server.uri());
    }

    @AfterEach
    void stop() throws IOException {
        cutOff.close();
        store.close();
        relay.close();
        server.close();
    }

    private void cut() {
        relay.lose(Relay.Direction.TO_SERVER);
        relay.cut();
        Patience.until("the breaker opens", () -> !cutOff.breaker().allows());
    }

    private void mend() {
        relay.mend();
        Patience.until("the store is used again", cutOff.breaker()::allows);
    }

    @Test
    void whatWasInvalidatedMeanwhileIsReplayed() {
        try (Shop here = new Shop(cutOff, "replayed");
                Shop there = new Shop(store, "replayed")) {
            here.source("old").get("key");
            here.get("other");
            assertThat(there.source("new").get("key")).isEqualTo("old");
            cut();
            Patience.until(
                    "it is told", () -> here.saw(CacheEvent.StoreLost.class)); // a moment after the breaker is open
            assertThat(here.source("new").cache.invalidate("key")).isEqualTo(Delivery.QUEUED);
            assertThat(here.get("key")).isEqualTo("new");
            assertThat(there.get("key")).isEqualTo("old"); // nobody can have told it
            mend();
            Patience.until("the invalidation arrives", () -> there.get("key").equals("new"));
            Patience.until("nothing is queued", () -> here.cache.stats().queuedWrites() == 0);
            assertThat(here.get("key")).isEqualTo("new");
            assertThat(there.get("other")).isEqualTo("old");
            assertThat(there.loads).hasValue(1);
        }
    }

    @Test
    void invalidatingEverythingIsReplayedToo() {
        try (Shop here = new Shop(cutOff, "everything");
                Shop there = new Shop(store, "everything")) {
            here.source("old").get("key");
            cut();
            assertThat(here.source("new").cache.invalidateAll()).isEqualTo(Delivery.QUEUED);
            mend();
            there.source("new");
            Patience.until("the invalidation arrives", () -> there.get("key").equals("new"));
        }
    }

    @Test
    void whatWasAnnouncedMeanwhileIsNotServedAfterwards() {
        try (Shop here = new Shop(cutOff, "missed", Shop::withNear);
                Shop there = new Shop(store, "missed")) {
            here.source("older").get("key");
            here.source("old");
            Patience.until(
                    "announcements arrive",
                    () -> { // a channel that is not there yet cannot be lost
                        there.cache.invalidate("key");
                        return here.get("key").equals("old");
                    });
            cut();
            Patience.until("the channel is lost", () -> here.saw(CacheEvent.ChannelLost.class));
            there.source("new").cache.invalidate("key");
            mend();
            here.source("new");
            Patience.until("the channel is back", () -> here.saw(CacheEvent.ChannelRestored.class));
            assertThat(here.get("key")).isEqualTo("new");
            there.source("newer").cache.invalidate("key");
            here.source("newer");
            Patience.until("announcements arrive", () -> here.get("key").equals("newer"));
        }
    }

    @Test
    void whileTheServerIsGoneNoCallerPaysForIt() throws IOException {
        try (Shop shop = new Shop(store, "gone")) {
            shop.get("key");
            server.stop();
            Patience.until("the breaker opens", () -> !store.breaker().allows());
            Duration taken = Patience.time(() -> {
                for (int i = 0; i < 200; i++) {
                    assertThat(shop.get("key " + i)).isEqualTo("value of key " + i);
                }
            });
            assertThat(taken).isLessThan(Duration.ofSeconds(2)); // one time-out each would be 200
            assertThat(shop.cache.stats().outageLoads()).isGreaterThanOrEqualTo(200);
            server.boot();
            Patience.until("the store is used again", store.breaker()::allows);
            shop.get("stored again");
            try (Shop there = new Shop(store, "gone")) {
                assertThat(there.cache.getIfPresent("stored again")).isNotNull();
            }
        }
    }

    @Test
    void aPutThatNeverArrivedIsNotSentAgainAfterALaterInvalidation() {
        Steps here = new Steps(cutOff, "once");
        Steps there = new Steps(store, "once");
        there.put("fence", "value");
        relay.lose(Relay.Direction.TO_SERVER); // what is sent from now on is lost
        var put = here.region.put("key", Steps.token(), Steps.draft("old"));
        var commit = here.region.invalidate(java.util.Set.of("fence"));
        relay.cut();
        assertThat(Steps.failure(put)).isNotNull();
        assertThat(Steps.failure(commit)).isNotNull();
        mend();
        assertThat(here.text("nothing")).isNull(); // answered after whatever was sent again
        assertThat(there.text("key")).isNull();
        assertThat(there.text("fence")).isEqualTo("value");
    }

    @Test
    void theServerKillsBothConnections() {
        try (Shop here = new Shop(store, "killed", Shop::withNear);
                Raw raw = new Raw(server.uri())) {
            here.get("key");
            for (int i = 0; i < 3; i++) {
                raw.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                raw.send("CLIENT", "KILL", "TYPE", "pubsub");
                here.cache.invalidate("key");
                assertThat(here.get("key")).isEqualTo("value of key");
            }
            Patience.until("the store is used again", store.breaker()::allows);
            Patience.until("the channel is back", () -> here.saw(CacheEvent.ChannelRestored.class));
            Patience.until("nothing is queued", () -> here.cache.stats().queuedWrites() == 0);
        }
    }
}
