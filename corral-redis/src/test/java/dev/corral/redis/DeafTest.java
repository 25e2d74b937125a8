package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

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
        relay.deafen("SUBSCRIBE");
        Patience.until("the loss is noticed", () -> here.news.heard().contains("lost"));
        Patience.until("the channel is replaced", () -> here.news.heard().contains("restored"));
        Patience.until("all caches are told", () -> alsoHere.news.heard().contains("restored"));
        hears(here, there);
        assertThat(Collections.frequency(here.news.heard(), "lost")).isEqualTo(1);
        assertThat(Collections.frequency(here.news.heard(), "restored")).isEqualTo(1);
        assertThat(alsoHere.news.heard()).containsExactly("lost", "restored");
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
        Patience.until("the channel is back", () -> here.news.heard().contains("restored"));
        hears(here, there);
        assertThat(Collections.frequency(here.news.heard(), "lost")).isEqualTo(1);
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

    private static void hears(Steps listener, Steps speaker) {
        String key = Steps.token().toString();
        Patience.until("an announcement arrives", () -> {
            Steps.await(speaker.region.invalidate(java.util.Set.of(key)));
            return listener.news.heard().contains("invalidated " + key);
        });
    }
}
