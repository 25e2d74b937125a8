package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.CacheEvent;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The channel of announcements fails, with and without a sound. */
class DeafTest {
    private TestRedis server;
    private Relay relay;
    private RedisStore store;
    private RedisStore other;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start();
        relay = new Relay(server.port());
        store = RedisStore.builder(server.uri(relay))
                .heartbeat(Duration.ofMillis(200))
                .connect();
        other = RedisStore.connect(server.uri());
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        other.close();
        relay.close();
        server.close();
    }

    @Test
    void aDeafChannelIsNoticedAndReplaced() {
        Steps here = new Steps(store, "deaf");
        Steps alsoHere = new Steps(store, "also deaf");
        Steps there = new Steps(other, "deaf");
        hears(here, there);
        hears(alsoHere, new Steps(other, "also deaf"));
        relay.deafen("SUBSCRIBE");
        Patience.until("the loss is noticed", () -> here.news.heard().contains("lost"));
        Patience.until("the channel is replaced", () -> timesSubscribed(here) == 2);
        Patience.until("all caches are told", () -> timesSubscribed(alsoHere) == 2);
        hears(here, there);
        assertThat(here.news.heard()).startsWith("subscribed");
        assertThat(Collections.frequency(here.news.heard(), "lost")).isEqualTo(1);
        assertThat(timesSubscribed(here)).isEqualTo(2);
        assertThat(Collections.frequency(alsoHere.news.heard(), "lost")).isEqualTo(1);
        assertThat(timesSubscribed(alsoHere)).isEqualTo(2);
        assertThat(store.breaker().allows()).isTrue();
    }

    @Test
    void aBrokenChannelIsReported() {
        Steps here = new Steps(store, "broken");
        Steps there = new Steps(other, "broken");
        hears(here, there);
        try (Raw raw = new Raw(server.uri())) {
            raw.send("CLIENT", "KILL", "TYPE", "pubsub");
        }
        Patience.until("the loss is noticed", () -> here.news.heard().contains("lost"));
        Patience.until("the channel is back", () -> timesSubscribed(here) == 2);
        hears(here, there);
        assertThat(Collections.frequency(here.news.heard(), "lost")).isEqualTo(1);
    }

    /** The server forbids the subscription until the near tier holds what it will not hear the end of. */
    @Test
    void whatWasMissedBeforeTheChannelCameIsNotServedAfterwards() {
        try (Raw raw = new Raw(server.uri())) {
            raw.send("ACL", "SETUSER", "default", "-subscribe");
            try (RedisStore late = RedisStore.builder(server.uri())
                            .heartbeat(Duration.ofMillis(50))
                            .connect();
                    Shop here = new Shop(late, "late", Shop::withNear);
                    Shop there = new Shop(other, "late")) {
                assertThat(here.source("old").get("key")).isEqualTo("old");
                there.source("new").cache.invalidate("key");
                assertThat(there.get("key")).isEqualTo("new");
                assertThat(here.get("key")).isEqualTo("old");

                raw.send("ACL", "SETUSER", "default", "+subscribe");

                Patience.until("the channel is there", () -> here.get("key").equals("new"));
                assertThat(here.saw(CacheEvent.ChannelRestored.class)).isFalse();
            }
        }
    }

    @Test
    void foreignMessagesAreIgnored() {
        Steps here = new Steps(store, "foreign");
        Steps there = new Steps(other, "foreign");
        hears(here, there);
        try (Raw raw = new Raw(server.uri())) {
            raw.send("PUBLISH", "corral:foreign:news", "");
            raw.send("PUBLISH", "corral:foreign:news", "hello, is anybody there?");
            raw.send("PUBLISH", "corral:foreign:news", "i\u0000\u000112345678\u00ff\u00fe");
        }
        hears(here, there);
    }

    @Test
    void theLastListenerOfACacheUnsubscribes() {
        Steps here = new Steps(store, "unsubscribed");
        Steps alsoHere = new Steps(store, "unsubscribed");
        try (Raw raw = new Raw(server.uri())) {
            Patience.until("the channel is there", () -> subscribers(raw) == 1);
            here.region.close();
            hears(alsoHere, new Steps(other, "unsubscribed"));
            alsoHere.region.close();
            Patience.until("the channel is left to the other node", () -> subscribers(raw) == 1);
        }
    }

    private static long subscribers(Raw raw) {
        return (Long) raw.send("PUBSUB", "NUMSUB", "corral:unsubscribed:news").get(1);
    }

    private static int timesSubscribed(Steps listener) {
        return Collections.frequency(listener.news.heard(), "subscribed");
    }

    private static void hears(Steps listener, Steps speaker) {
        String key = Steps.token().toString();
        Patience.until("an announcement arrives", () -> {
            Steps.await(speaker.region.invalidate(java.util.Set.of(key)));
            return listener.news.heard().contains("invalidated " + key);
        });
    }
}
