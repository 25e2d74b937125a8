package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.testkit.Gate;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two instances of the library with connections of their own on one server. */
class TwoNodesTest {
    private static TestRedis server;
    private static RedisStore one;
    private static RedisStore two;

    @BeforeAll
    static void start() throws IOException {
        server = TestRedis.start();
        one = RedisStore.connect(server.uri());
        two = RedisStore.connect(server.uri());
    }

    @AfterAll
    static void stop() throws IOException {
        one.close();
        two.close();
        server.close();
    }

    @Test
    void aColdKeyIsLoadedOnce() throws Exception {
        try (Shop here = new Shop(one, "cold");
                Shop there = new Shop(two, "cold")) {
            together(here, there);
        }
    }

    @Test
    void anExpiredKeyIsLoadedOnce() throws Exception {
        try (Shop brief = new Shop(one, "expired", builder -> builder.expireAfterWrite(Duration.ofMillis(50)));
                Shop here = new Shop(one, "expired");
                Shop there = new Shop(two, "expired")) {
            brief.get("key");
            Patience.until("the entry expires", () -> here.cache.getIfPresent("key") == null);
            together(here, there);
        }
    }

    @Test
    void anInvalidatedKeyIsLoadedOnce() throws Exception {
        try (Shop here = new Shop(one, "invalidated");
                Shop there = new Shop(two, "invalidated")) {
            here.get("key");
            there.get("key");
            assertThat(there.cache.invalidate("key")).isEqualTo(Delivery.APPLIED);
            here.loads.set(0);
            there.loads.set(0);
            together(here, there);
        }
    }

    /** Twenty callers on each node while the loader is held at a gate. */
    private static void together(Shop here, Shop there) throws Exception {
        Gate gate = Gate.shut();
        for (Shop shop : List.of(here, there)) {
            shop.source(key -> {
                gate.pass();
                return "loaded";
            });
        }
        List<CompletableFuture<String>> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(here.cache.getAsync("key"));
            callers.add(there.cache.getAsync("key"));
        }
        gate.awaitArrivals(1);
        Patience.until(
                "both nodes wait",
                () -> here.cache.stats().misses() >= 20 && there.cache.stats().misses() >= 20);
        gate.open();
        for (CompletableFuture<String> caller : callers) {
            assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("loaded");
        }
        assertThat(here.loads.get() + there.loads.get()).isEqualTo(1);
    }

    @Test
    void aWaiterOnTheOtherNodeIsWokenAndDoesNotWaitForItsPoll() throws Exception {
        try (Shop here = new Shop(one, "woken");
                Shop there = new Shop(two, "woken", builder -> builder.pollInterval(Duration.ofSeconds(30)))) {
            Gate gate = Gate.shut();
            here.source(key -> {
                gate.pass();
                return "loaded";
            });
            CompletableFuture<String> leader = here.cache.getAsync("key");
            gate.awaitArrivals(1);
            CompletableFuture<String> waiter = there.cache.getAsync("key");
            Patience.until("the other waits", () -> there.cache.stats().misses() == 1);
            gate.open();
            assertThat(leader.get(5, TimeUnit.SECONDS)).isEqualTo("loaded");
            assertThat(waiter.get(5, TimeUnit.SECONDS)).isEqualTo("loaded");
            assertThat(there.loads).hasValue(0);
        }
    }

    @Test
    void whatOneNodeInvalidatesLeavesTheOthersNearTier() {
        try (Shop here = new Shop(one, "near", Shop::withNear);
                Shop there = new Shop(two, "near", Shop::withNear)) {
            here.source("old").get("key");
            assertThat(there.source("new").get("key")).isEqualTo("old");
            here.source("new").cache.invalidate("key");
            Patience.until("the other node hears", () -> there.get("key").equals("new"));
            assertThat(here.get("key")).isEqualTo("new");
        }
    }

    @Test
    void whatWasLoadedBeforeAnInvalidationFillsNothing() throws Exception {
        try (Shop here = new Shop(one, "late");
                Shop there = new Shop(two, "late")) {
            Gate gate = Gate.shut();
            here.source(key -> {
                gate.pass();
                return "old";
            });
            CompletableFuture<String> late = here.cache.getAsync("key");
            gate.awaitArrivals(1);
            assertThat(there.cache.invalidate("key")).isEqualTo(Delivery.APPLIED);
            gate.open();
            late.get(10, TimeUnit.SECONDS);
            assertThat(there.source("new").get("key")).isEqualTo("new");
            assertThat(here.source("new").get("key")).isEqualTo("new");
        }
    }

    @Test
    void aVersionThatCannotDecodeLoadsOnceAndOverwrites() {
        try (Shop here = new Shop(one, "versions");
                Shop there = new Shop(two, "versions", builder -> builder.codec(new PickyCodec()))) {
            here.source("of version one").get("key");
            assertThat(there.source("picky: of version two").get("key")).isEqualTo("picky: of version two");
            assertThat(there.get("key")).isEqualTo("picky: of version two");
            assertThat(there.loads).hasValue(1);
            assertThat(there.cache.stats().unreadable()).isEqualTo(1);
            assertThat(here.get("key")).isEqualTo("picky: of version two");
        }
    }

    @Test
    void schemasOfTheirOwnShareNoValuesButInvalidations() {
        try (Shop here = new Shop(one, "schemas");
                Shop there = new Shop(two, "schemas", builder -> builder.schemaVersion(2))) {
            assertThat(here.source("one").get("key")).isEqualTo("one");
            assertThat(there.source("two").get("key")).isEqualTo("two");
            here.source("one again");
            there.source("two again");
            Patience.until(
                    "the other version hears",
                    () -> { // once its channel is there
                        here.cache.invalidate("key");
                        return there.get("key").equals("two again");
                    });
            here.cache.invalidateAll();
            Patience.until("the other version hears again", () -> there.loads.get() >= 2);
            assertThat(here.get("key")).isEqualTo("one again");
        }
    }

    @Test
    void manyKeysAtOnce() {
        try (Shop here = new Shop(one, "many");
                Shop there = new Shop(two, "many")) {
            List<String> keys =
                    IntStream.range(0, 500).mapToObj(i -> "key " + i).toList();
            assertThat(here.cache.getAll(keys)).hasSize(500);
            assertThat(there.cache.getAll(keys)).hasSize(500).containsEntry("key 7", "value of key 7");
            assertThat(there.loads).hasValue(0);
            there.cache.invalidateAll(keys);
            assertThat(here.cache.getIfPresent("key 499")).isNull();
        }
    }

    /** One script names two keys of the server for each; Lua's stack ends at 8,000. */
    @Test
    void moreKeysOfOneBucketThanOneScriptCanName() {
        List<String> keys = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key " + i)
                .filter(key -> Layout.bucket(key.getBytes(StandardCharsets.UTF_8)) == 7)
                .limit(5_000)
                .toList();
        Steps steps = new Steps(one, "crowded");
        steps.put(keys.get(0), "first");
        steps.put(keys.get(4_999), "last");

        Steps.await(steps.region.invalidate(keys));

        assertThat(steps.text(keys.get(0))).isNull();
        assertThat(steps.text(keys.get(4_999))).isNull();
    }

    /** A codec that has changed its mind about the form. */
    private static final class PickyCodec implements dev.corral.Codec<String> {
        @Override
        public byte[] encode(String value) {
            return StringCodec.UTF_8.encode(value);
        }

        @Override
        public String decode(byte[] bytes) throws Exception {
            String text = StringCodec.UTF_8.decode(bytes);
            if (!text.startsWith("picky")) {
                throw new IllegalArgumentException("not of my version");
            }
            return text;
        }
    }
}
