package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Cache;
import dev.corral.CacheBuilder;
import dev.corral.CacheEvent;
import dev.corral.Corral;
import dev.corral.Delivery;
import dev.corral.Lookup;
import dev.corral.Source;
import io.lettuce.core.KillArgs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real failures of a real server: the promises hold, counted at the server and the loader. */
class RedisFaultTest {
    private final AtomicInteger loads = new AtomicInteger();
    private final List<CacheEvent> events = new CopyOnWriteArrayList<>();
    private volatile String row = "v1";
    private TestRedis server;
    private RedisStore store;
    private RedisStore otherStore;

    @BeforeEach
    void start() throws IOException {
        server = TestRedis.start();
        store = connect();
        otherStore = connect();
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        otherStore.close();
        server.close();
    }

    private RedisStore connect() {
        return RedisStore.builder(server.uri())
                .connectTimeout(Duration.ofMillis(500))
                .heartbeat(Duration.ofMillis(100))
                .connect();
    }

    private CacheBuilder<Object, String> builder(RedisStore on) {
        return Corral.newBuilder("faults")
                .expireAfterWrite(Duration.ofMinutes(5))
                .storeTimeout(Duration.ofMillis(300))
                .store(on)
                .onEvent(events::add)
                .codec(StringCodec.UTF_8);
    }

    private String load(String key) {
        loads.incrementAndGet();
        return row;
    }

    private static void eventually(BooleanSupplier state) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited 20 s").isLessThan(giveUp);
            Thread.onSpinWait();
        }
    }

    private static void both(RedisStore... stores) {
        for (RedisStore some : stores) {
            eventually(() -> some.breaker().allows());
        }
    }

    /** FAULTS A-1. */
    @Test
    void twoNodesShareEntriesAndInvalidations() {
        Cache<String, String> one =
                builder(store).near(near -> near.maximumSize(10)).build(this::load);
        Cache<String, String> two =
                builder(otherStore).near(near -> near.maximumSize(10)).build(this::load);

        assertThat(one.get("k")).isEqualTo("v1");
        assertThat(two.lookup("k").source()).isEqualTo(Source.STORE);
        assertThat(loads).hasValue(1);

        row = "v2";
        assertThat(one.invalidate("k")).isEqualTo(Delivery.APPLIED);
        eventually(() -> "v2".equals(two.get("k")));
        assertThat(one.get("k")).isEqualTo("v2");
        assertThat(loads).hasValue(2);
    }

    /** FAULTS H-2: the server is killed; queued invalidations are replayed when it is back. */
    @Test
    void aKilledServerCostsNoErrorsAndMissesNoInvalidation() throws Exception {
        Cache<String, String> cache =
                builder(store).near(near -> near.maximumSize(10)).build(this::load);
        cache.get("k");
        server.stop();
        eventually(() -> !store.breaker().allows());

        long before = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            assertThat(cache.get("cold" + i)).isEqualTo("v1");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("nobody pays a network time-out")
                .isLessThan(Duration.ofSeconds(2));
        row = "v2";
        assertThat(cache.invalidate("k")).isEqualTo(Delivery.QUEUED);
        assertThat(cache.get("k")).isEqualTo("v2");

        server.boot();
        eventually(() -> store.breaker().allows() && cache.stats().queuedWrites() == 0);
        assertThat(cache.get("k")).isEqualTo("v2");
        eventually(() -> events.stream().anyMatch(CacheEvent.ChannelRestored.class::isInstance));
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.StoreRecovered.class);
    }

    /** FAULTS H-1: the server is frozen, not dead. */
    @Test
    void aFrozenServerCostsAFewTimeouts() throws Exception {
        Cache<String, String> cache = builder(store).build(this::load);
        cache.get("k");
        server.rememberPid();
        server.signal("STOP");
        try {
            long before = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                assertThat(cache.get("k")).isEqualTo("v1");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
            assertThat(store.breaker().allows()).isFalse();
        } finally {
            server.signal("CONT");
        }
        eventually(() -> store.breaker().allows());
        int loaded = loads.get();
        eventually(() -> cache.lookup("k").source() == Source.STORE);
        assertThat(loads.get() - loaded).isLessThanOrEqualTo(50);
    }

    /** A put that was under way when the server froze must not come to life after a later invalidation. */
    @Test
    void aPutThatReachesTheServerTooLateHasNoEffect() throws Exception {
        Cache<String, String> cache = builder(store).build(this::load);
        Cache<String, String> other = builder(otherStore).build(this::load);
        cache.get("k");
        server.rememberPid();
        server.signal("STOP");
        try {
            assertThat(cache.put("k", "late")).isEqualTo(Delivery.QUEUED);
            long patience = System.nanoTime() + Duration.ofMillis(700).toNanos();
            eventually(() -> System.nanoTime() > patience); // the put's deadline, by the server's clock
        } finally {
            server.signal("CONT");
        }
        both(store, otherStore);
        row = "v2";
        eventually(() -> other.invalidate("k") == Delivery.APPLIED);
        eventually(() -> cache.stats().queuedWrites() == 0);

        assertThat(other.get("k")).isEqualTo("v2");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void aBrokenConnectionIsReplaced() {
        Cache<String, String> cache = builder(store).build(this::load);
        cache.get("k");
        server.ask(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));

        eventually(() -> events.stream().anyMatch(CacheEvent.StoreLost.class::isInstance));
        eventually(() -> store.breaker().allows());
        eventually(() -> cache.lookup("k").source() == Source.STORE);
    }

    /** FAULTS F-1, F-5: the connection that hears announcements is killed. */
    @Test
    void aLostSubscriptionEmptiesTheNearTierWhenItIsBack() {
        Cache<String, String> cache = builder(store)
                .near(near -> near.maximumSize(10).expireAfter(Duration.ofMinutes(1)))
                .build(this::load);
        cache.get("k");
        server.ask(redis -> redis.clientKill(KillArgs.Builder.typePubsub()));

        eventually(() -> events.stream().anyMatch(CacheEvent.ChannelLost.class::isInstance));
        eventually(() -> events.stream().anyMatch(CacheEvent.ChannelRestored.class::isInstance));
        assertThat(cache.lookup("k").source()).isEqualTo(Source.STORE);
        assertThat(loads).hasValue(1);
    }

    /** FAULTS H-5. */
    @Test
    void aFlushedServerIsFilledAgainWithOneLoadPerKey() {
        Cache<String, String> cache = builder(store).build(this::load);
        Cache<String, String> other = builder(otherStore).build(this::load);
        cache.get("k");
        server.ask(redis -> redis.flushall());

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(other.get("k")).isEqualTo("v1");
        assertThat(loads).hasValue(2);
    }

    /** FAULTS B-4, I-7: scripts that the server has forgotten are sent whole. */
    @Test
    void forgottenScriptsAreSentAgain() {
        Cache<String, String> cache = builder(store).build(this::load);
        server.ask(redis -> redis.scriptFlush());

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.lookup("k").source()).isEqualTo(Source.STORE);
        assertThat(events).noneMatch(CacheEvent.StoreFailed.class::isInstance);
    }

    /** A full server that evicts nothing refuses to store: callers do not notice. */
    @Test
    void aFullServerRefusesWritesAndCallersAreServed() {
        Cache<String, String> cache = builder(store).build(this::load);
        cache.get("k");
        server.ask(redis -> redis.configSet("maxmemory-policy", "noeviction"));
        server.ask(redis -> redis.configSet("maxmemory", "1"));

        assertThat(cache.get("other")).isEqualTo("v1");
        assertThat(cache.lookup("k").source()).as("reads go on").isEqualTo(Source.STORE);
        assertThat(store.breaker().allows()).isTrue();
        assertThat(events)
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                CacheEvent.StoreFailed.class,
                                failed -> assertThat(failed.reason()).contains("OOM")));
    }

    /** FAULTS I-2: whatever bytes stand under the key, they are a miss and one load. */
    @Test
    void foreignBytesAreOneLoadAndAreOverwritten() {
        Cache<String, String> cache = builder(store).build(this::load);
        String name = valueKey("k");
        for (String garbage : List.of("", "x", "{\"json\":true}", "\u00c0\u0001".repeat(60))) {
            int before = loads.get();
            server.ask(redis -> redis.set(name, garbage));
            assertThat(cache.get("k")).isEqualTo("v1");
            assertThat(cache.lookup("k").source()).isEqualTo(Source.STORE);
            assertThat(loads.get() - before).as("loads for %s", garbage).isEqualTo(1);
        }
        server.ask(redis -> redis.del(name));
        server.ask(redis -> redis.lpush(name, "a list"));
        assertThat(cache.get("k")).isEqualTo("v1");
    }

    /** FAULTS I-2: two versions that cannot read each other do not fight over a key. */
    @Test
    void twoSchemaVersionsLiveSideBySideAndInvalidateEachOther() {
        Cache<String, String> old = builder(store).schemaVersion(1).build(this::load);
        Cache<String, String> young = builder(otherStore).schemaVersion(2).build(this::load);
        for (int i = 0; i < 10; i++) {
            old.get("k");
            young.get("k");
        }
        assertThat(loads).hasValue(2);

        row = "v2";
        old.invalidate("k");
        eventually(() -> "v2".equals(young.get("k")));
        row = "v3";
        old.invalidateAll();
        assertThat(young.get("k")).isEqualTo("v3");
    }

    @Test
    void valuesThatTheCodecCannotReadAreOneLoad() {
        Cache<String, Integer> numbers = Corral.newBuilder("faults")
                .expireAfterWrite(Duration.ofMinutes(5))
                .store(store)
                .codec(JsonCodec.of(Integer.class))
                .build(key -> 7);
        Cache<String, String> texts = builder(otherStore).build(this::load);
        texts.get("k");

        assertThat(numbers.get("k")).isEqualTo(7);
        assertThat(numbers.stats().unreadable()).isEqualTo(1);
        Lookup<Integer> again = numbers.lookup("k");
        assertThat(again.source()).isEqualTo(Source.STORE);
        assertThat(again.value()).isEqualTo(7);
    }

    private static String valueKey(String key) {
        return new String(
                new Layout("corral", "faults", 1).value(key.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
