package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.corral.Strategy.Meanwhile;
import dev.corral.Strategy.When;
import dev.corral.Strategy.Who;
import dev.corral.memory.MemoryStore;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the builder accepts, what it refuses and how it says so. */
class BuilderTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Corral.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    enum Colour {
        RED
    }

    record Point(int x, int y) {}

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private static CacheBuilder<Object, Object> builder() {
        return Corral.newBuilder("b").expireAfterWrite(Duration.ofMinutes(1));
    }

    private static void refuses(Consumer<CacheBuilder<Object, Object>> options, String message) {
        assertThatThrownBy(() -> {
                    CacheBuilder<Object, Object> builder = builder();
                    options.accept(builder);
                    builder.build((String key) -> key);
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void eachWrongOptionIsNamedWithWhatItGot() {
        Duration none = Duration.ZERO;
        Duration negative = Duration.ofSeconds(-1);
        refuses(b -> b.expireAfterWrite(none), "expireAfterWrite must be positive, got PT0S");
        refuses(b -> b.expireAfterWrite(Duration.ofDays(4000)), "expireAfterWrite must not be above ten years");
        refuses(b -> b.jitter(1), "jitter must be at least 0 and below 1, got 1.0");
        refuses(b -> b.jitter(Double.NaN), "jitter must be at least 0 and below 1, got NaN");
        refuses(b -> b.expireAbsentAfterWrite(negative), "expireAbsentAfterWrite must not be negative, got PT-1S");
        refuses(
                b -> b.serveStaleWhileRefreshing(negative),
                "serveStaleWhileRefreshing must not be negative, got PT-1S");
        refuses(b -> b.serveStaleOnError(negative), "serveStaleOnError must not be negative, got PT-1S");
        refuses(b -> b.waitTimeout(none), "waitTimeout must be positive, got PT0S");
        refuses(b -> b.softTimeout(Duration.ofSeconds(1)), "softTimeout needs a stale window");
        refuses(
                b -> b.serveStaleOnError(Duration.ofSeconds(9))
                        .softTimeout(Duration.ofSeconds(2))
                        .hardTimeout(Duration.ofSeconds(1)),
                "softTimeout must be below hardTimeout PT1S, got PT2S");
        refuses(b -> b.hardTimeout(none), "hardTimeout must be positive, got PT0S");
        refuses(b -> b.lease(Duration.ofMillis(1)), "lease must be at least PT0.03S, got PT0.001S");
        refuses(
                b -> b.maximumLoadTime(Duration.ofSeconds(1)),
                "maximumLoadTime must not be below lease PT2S, got PT1S");
        refuses(b -> b.pollInterval(none), "pollInterval must be at least PT0.001S, got PT0S");
        refuses(b -> b.nestedWait(none), "nestedWait must be positive, got PT0S");
        refuses(b -> b.backOff(negative, none), "backOff must not be negative, got PT-1S");
        refuses(
                b -> b.backOff(Duration.ofSeconds(2), Duration.ofSeconds(1)),
                "backOff its maximum must not be below its first PT2S, got PT1S");
        refuses(b -> b.storeTimeout(none), "storeTimeout must be positive, got PT0S");
        refuses(b -> b.schemaVersion(-1), "schemaVersion must not be negative, got -1");
        refuses(b -> b.near(near -> {}), "near needs one of maximumSize and maximumWeight, got -1 and -1");
        refuses(b -> b.near(near -> near.maximumSize(-3)), "near.maximumSize must not be negative, got -3");
        refuses(
                b -> b.near(near -> near.maximumSize(1).expireAfter(none)),
                "near.expireAfter must be positive, got PT0S");
        refuses(b -> b.strategy(Strategy.external()), "precompute goes with strategy external");
        refuses(b -> b.precompute(job -> job.keys("k")), "precompute goes with strategy external");
        refuses(
                b -> b.strategy(Strategy.external()).precompute(job -> job.every(Duration.ofSeconds(1))),
                "precompute.keys must name at least one key, got []");
        refuses(b -> b.meanwhile(Meanwhile.STALE), "serveStaleWhileRefreshing must be set when meanwhile is STALE");
        refuses(
                b -> b.rollOut(java.time.Instant.EPOCH, none, (String key) -> key),
                "rollOut.over must be positive, got PT0S");
        refuses(b -> b.store(new ByteStore(MemoryStore.create())), "codec must be set for a store outside the process");
    }

    @Test
    void axesThatDoNotFitAreRefusedAsSoonAsTheyAreSet() {
        assertThatThrownBy(() -> builder().who(Who.JOB)).hasMessageContaining("when SCHEDULE and who JOB go together");
        assertThatThrownBy(() -> builder().when(When.SCHEDULE))
                .hasMessageContaining("got when SCHEDULE and who CLUSTER");
        assertThatThrownBy(() -> new Strategy(When.SCHEDULE, Who.JOB, Meanwhile.WAIT))
                .hasMessageContaining("who JOB needs meanwhile PENDING or STALE, got WAIT");
    }

    @Test
    void theTimeToLiveMustBeSet() {
        assertThatThrownBy(() -> Corral.newBuilder("b").build((String key) -> key))
                .hasMessage("expireAfterWrite must be set, got nothing (cache b)");
    }

    @Test
    void namesArePlain() {
        assertThatThrownBy(() -> Corral.newBuilder("a{b}"))
                .hasMessage(
                        "name must be 1 to 200 printable ASCII characters without spaces, colons and braces, got a{b}");
        assertThatThrownBy(() -> Corral.newBuilder("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(builder().build((String key) -> key).name()).isEqualTo("b");
    }

    @Test
    void aCacheWithoutALoaderSaysSo() {
        Cache<String, String> cache = builder().build();

        assertThatThrownBy(() -> cache.get("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cache b was built without a loader; use get(key, loader)");
        assertThat(cache.get("other", key -> "v")).isEqualTo("v");
        assertThatThrownBy(() -> builder()
                        .strategy(Strategy.external())
                        .precompute(job -> job.keys("k"))
                        .build())
                .hasMessageContaining("build needs a loader for the background job");
    }

    @Test
    void aKeyOfTheJobThatHasNoBytesIsRefusedWhenTheCacheIsBuilt() {
        assertThatThrownBy(() -> builder()
                        .store(new ByteStore(MemoryStore.create()))
                        .codec(new Codec<String>() {
                            @Override
                            public byte[] encode(String value) {
                                return new byte[0];
                            }

                            @Override
                            public String decode(byte[] bytes) {
                                return "";
                            }
                        })
                        .strategy(Strategy.external())
                        .precompute(job -> job.keys(new Point(1, 2)))
                        .build((Point key) -> "v"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write keyCodec(...)");
    }

    // ---- the warning

    @Test
    void aBareTimeToLiveLogsOneWarningThatSaysWhyAndWhatToWrite() {
        builder().strategy(Strategy.mutex()).build((String key) -> key);

        assertThat(log.list).hasSize(1);
        assertThat(log.list.get(0).getFormattedMessage())
                .contains("Cache b expires with nothing to soften it")
                .contains("every caller waits for the load")
                .contains("Write strategy(Strategy.early())");
    }

    @Test
    void naiveLogsTheWarningToo() {
        builder().strategy(Strategy.naive()).build((String key) -> key);

        assertThat(log.list).hasSize(1);
        assertThat(log.list.get(0).getFormattedMessage()).contains("every caller runs the loader");
    }

    @Test
    void softenedExpiriesLogNothing() {
        builder().build((String key) -> key);
        builder()
                .strategy(Strategy.mutex())
                .serveStaleWhileRefreshing(Duration.ofSeconds(5))
                .build((String key) -> key);
        builder()
                .strategy(Strategy.mutex())
                .serveStaleOnError(Duration.ofSeconds(5))
                .build((String key) -> key);
        builder()
                .strategy(Strategy.external())
                .precompute(job -> job.keys("k"))
                .build((String key) -> key)
                .close();

        assertThat(log.list).isEmpty();
    }

    // ---- presets

    @Test
    void presetsArePointsOnTheAxes() {
        assertThat(Strategy.naive()).isEqualTo(new Strategy(When.EXPIRY, Who.EVERYBODY, Meanwhile.WAIT));
        assertThat(Strategy.mutex()).isEqualTo(new Strategy(When.EXPIRY, Who.CLUSTER, Meanwhile.WAIT));
        assertThat(Strategy.early()).isEqualTo(new Strategy(When.EARLY, Who.CLUSTER, Meanwhile.WAIT));
        assertThat(Strategy.external()).isEqualTo(new Strategy(When.SCHEDULE, Who.JOB, Meanwhile.PENDING));
    }

    /** FAULTS I-9: whatever was set last holds, for this cache alone. */
    @Test
    void anOptionSetTwiceHoldsAsSetLast() {
        CacheBuilder<Object, Object> builder = builder();
        builder.strategy(Strategy.naive()).who(Who.CLUSTER).serveStaleOnError(Duration.ofSeconds(5));
        builder.build((String key) -> key);

        assertThat(log.list).as("who CLUSTER replaced who EVERYBODY").isEmpty();
    }

    // ---- keys

    @Test
    void commonKeysHaveACodec() {
        roundTrip(String.class, "ünï{x} \0", "ünï{x} \0");
        roundTrip(String.class, "", "");
        roundTrip(Integer.class, -7, "-7");
        roundTrip(Long.class, Long.MIN_VALUE, "-9223372036854775808");
        roundTrip(Short.class, (short) 3, "3");
        roundTrip(Byte.class, (byte) 3, "3");
        roundTrip(BigInteger.class, BigInteger.TEN.pow(30), "1" + "0".repeat(30));
        UUID uuid = UUID.fromString("00000000-0000-0001-0000-000000000002");
        roundTrip(UUID.class, uuid, "00000000-0000-0001-0000-000000000002");
        roundTrip(Colour.class, Colour.RED, "RED");
    }

    private static <K> void roundTrip(Class<K> type, K key, String text) {
        KeyCodec<K> codec = KeyCodec.of(type);
        assertThat(new String(codec.encode(key), StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(codec.decode(codec.encode(key))).isEqualTo(key);
    }

    @Test
    void otherKeysAreRefusedAndTheMessageSaysWhatToWrite() {
        assertThatThrownBy(() -> builder().keyType(Point.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got dev.corral.BuilderTest$Point: write keyCodec(...)");
        KeyCodec<Object> byFirstKey = dev.corral.engine.KeyCodecs.byFirstKey("b");
        assertThatThrownBy(() -> byFirstKey.encode(new Point(1, 2)))
                .hasMessageContaining("cache b has keys of dev.corral.BuilderTest$Point")
                .hasMessageContaining("write keyCodec(...)");
    }

    /** FAULTS I-3: two kinds of keys in one cache would read each other's values. */
    @Test
    void aSecondKindOfKeyIsRefused() {
        KeyCodec<Object> codec = dev.corral.engine.KeyCodecs.byFirstKey("b");
        codec.encode(1);

        assertThatThrownBy(() -> codec.encode("1"))
                .hasMessageContaining("cache b has keys of java.lang.Integer, got one of java.lang.String");
        assertThat(codec.decode("2".getBytes(StandardCharsets.UTF_8))).isEqualTo(2);
    }

    @Test
    void aKeyWithHalfASurrogatePairIsRefused() {
        KeyCodec<String> codec = KeyCodec.of(String.class);
        assertThatThrownBy(() -> codec.encode("\ud800")).hasMessageContaining("unpaired surrogate");
    }

    @Test
    void aMemoryStoreTakesKeysOfAnyKindAndIsBounded() {
        Cache<Point, String> points = builder().build((Point key) -> "p");
        assertThat(points.get(new Point(1, 2))).isEqualTo("p");

        Cache<Integer, Integer> bounded =
                builder().store(MemoryStore.create(10)).build((Integer key) -> key);
        for (int i = 0; i < 1_000; i++) {
            bounded.get(i);
        }
        long left = java.util.stream.IntStream.range(0, 1_000)
                .filter(i -> bounded.getIfPresent(i) != null)
                .count();
        assertThat(left).isLessThanOrEqualTo(10);
        assertThatThrownBy(() -> MemoryStore.create(0)).hasMessage("maximumSize must be at least 1, got 0");
    }

    @Test
    void typesAreInferredAsInCaffeine() {
        Cache<String, List<Integer>> cache = builder()
                .near(near -> near.maximumSize(1))
                .serveStaleOnError(Duration.ofSeconds(1))
                .build(key -> List.of(key.length()));

        assertThat(cache.get("four")).containsExactly(4);
    }
}
