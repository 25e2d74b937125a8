package dev.corral.redis;

import static dev.corral.redis.Steps.await;
import static dev.corral.redis.Steps.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Grant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What others may have left, or done, on the server. */
class GarbageTest {
    private static final Random RANDOM = new Random(7);

    private static TestRedis server;
    private static RedisStore store;
    private static Raw raw;

    private final Steps steps = new Steps(store, "garbage");

    @BeforeAll
    static void start() throws IOException {
        server = TestRedis.start();
        store = RedisStore.connect(server.uri());
        raw = new Raw(server.uri());
    }

    @AfterAll
    static void stop() throws IOException {
        raw.close();
        store.close();
        server.close();
    }

    @Test
    void foreignBytesAreUnreadableAndOverwrittenByOneLoad() {
        steps.put("key", "value"); // so that there is a generation
        for (String bytes : new String[] {"", "x", "foreign", "\u00c0\u0001", "\u00c0\u0001" + "x".repeat(200)}) {
            raw.send("SET", valueKey("key"), bytes);
            assertThat(steps.text("key")).as("%s", bytes.length()).isIn("unreadable", null);
            load("key");
        }
    }

    @Test
    void randomBytesNeverBreakAStep() {
        steps.put("key", "value");
        String generation = raw.get(generationKey("key"));
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[RANDOM.nextInt(120)];
            RANDOM.nextBytes(bytes);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            boolean nearlyRight = i % 2 == 0 && bytes.length >= 76;
            String stored = nearlyRight ? "\u00c0\u0001" + text.substring(2, 68) + generation : text;
            raw.send("SET", valueKey("key"), stored);
            await(steps.region.read("key"));
            Acquisition answer = steps.acquire("key");
            if (answer instanceof Acquisition.Granted granted) {
                await(steps.region.fail("key", granted.grant(), Duration.ZERO, ""));
            }
        }
        await(steps.region.invalidate(Set.of("key")));
        load("key");
    }

    /** Whoever reads it cannot use it, so it must not be handed over as fresh either. */
    @Test
    void anEntryWhoseInstantsMakeNoSenseIsUnreadableInEveryStep() {
        steps.put("key", "value");
        String good = raw.get(valueKey("key"));
        raw.send("SET", valueKey("key"), good.substring(0, 4) + "\u0080" + good.substring(5));
        assertThat(steps.text("key")).isEqualTo("unreadable");
        load("key");
    }

    @Test
    void aValueOfAnotherTypeIsMissingAndOverwritten() {
        steps.put("key", "value");
        raw.send("DEL", valueKey("key"));
        raw.send("RPUSH", valueKey("key"), "x");
        assertThat(steps.text("key")).isNull();
        load("key");
        raw.send("DEL", valueKey("key"));
        raw.send("RPUSH", valueKey("key"), "x");
        steps.put("key", "put");
        assertThat(steps.text("key")).isEqualTo("put");
    }

    @Test
    void anInvalidationRemovesWhateverLiesThere() {
        raw.send("RPUSH", valueKey("key"), "x");
        raw.send("SET", recordKey("key"), "x");
        await(steps.region.invalidate(Set.of("key")));
        load("key");
    }

    @Test
    void aServerThatHasForgottenItsScriptsIsTaughtAgain() {
        for (int i = 0; i < 3; i++) {
            String key = "taught" + i;
            raw.send("SCRIPT", "FLUSH");
            Grant grant = steps.grant(key);
            raw.send("SCRIPT", "FLUSH");
            assertThat(await(steps.region.renew(key, grant.token(), Steps.LONG)))
                    .isTrue();
            raw.send("SCRIPT", "FLUSH");
            assertThat(await(steps.region.commit(key, grant, draft("value")))).isEqualTo(Committed.STORED);
            raw.send("SCRIPT", "FLUSH");
            await(steps.region.invalidate(Set.of(key)));
            raw.send("SCRIPT", "FLUSH");
            steps.put(key, "put");
            assertThat(steps.text(key)).isEqualTo("put");
        }
    }

    @Test
    void aServerThatHasForgottenEverythingIsAColdOne() {
        steps.put("key", "value");
        Grant grant = steps.grant("loading");
        raw.send("FLUSHALL");
        assertThat(steps.text("key")).isNull();
        assertThat(await(steps.region.renew("loading", grant.token(), Steps.LONG)))
                .isFalse();
        assertThat(await(steps.region.commit("loading", grant, draft("old")))).isEqualTo(Committed.REJECTED);
        load("key");
    }

    @Test
    void anEvictedGenerationMakesItsBucketMissingAndRevivesNothing() {
        steps.put("key", "value");
        Grant grant = steps.grant("x");
        raw.send("DEL", generationKey("key"));
        raw.send("DEL", generationKey("x"));
        assertThat(steps.text("key")).isNull();
        assertThat(await(steps.region.commit("x", grant, draft("old")))).isEqualTo(Committed.REJECTED);
        steps.grant("key"); // creates the generation anew
        assertThat(steps.text("key")).isNull();
    }

    @Test
    void anEvictedRecordOrValueIsLostAndNoMore() {
        Grant grant = steps.grant("loading");
        raw.send("DEL", recordKey("loading"));
        assertThat(await(steps.region.commit("loading", grant, draft("old")))).isEqualTo(Committed.REJECTED);
        load("loading");
        raw.send("DEL", valueKey("loading"));
        assertThat(steps.text("loading")).isNull();
    }

    private void load(String key) {
        Grant grant = steps.grant(key);
        assertThat(await(steps.region.commit(key, grant, draft("loaded")))).isEqualTo(Committed.STORED);
        assertThat(steps.text(key)).isEqualTo("loaded");
    }

    private static String valueKey(String key) {
        return tag(key) + "v1:" + key;
    }

    private static String recordKey(String key) {
        return tag(key) + "r1:" + key;
    }

    private static String generationKey(String key) {
        return tag(key) + "g";
    }

    private static String tag(String key) {
        return "corral:{garbage:" + Layout.bucket(key.getBytes(StandardCharsets.UTF_8)) + "}:";
    }
}
