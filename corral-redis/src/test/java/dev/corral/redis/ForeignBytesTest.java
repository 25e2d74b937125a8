package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Cache;
import dev.corral.Codec;
import dev.corral.Corral;
import dev.corral.Strategy;
import dev.corral.spi.Reading;
import dev.corral.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Bytes that are not ours lie under a key's name on a real server, or come over the channel. Reading them is a miss and
 * one load that replaces them, and never an exception. A failure prints its seed.
 */
class ForeignBytesTest {
    record Product(String name, int price) {}

    private static final Product BREAD = new Product("bread", 3);
    private static final String KEY = "key";

    private static TestRedis server;
    private static RedisStore store;
    private static Raw raw;

    @BeforeContainer
    static void start() throws IOException {
        server = TestRedis.start();
        store = RedisStore.connect(server.uri());
        raw = new Raw(server.uri());
    }

    @AfterContainer
    static void stop() throws IOException {
        raw.close();
        store.close();
        server.close();
    }

    @Provide
    Arbitrary<ForeignBytes> foreign() {
        return ForeignBytes.any();
    }

    @Provide
    Arbitrary<ForeignBytes> certainlyForeign() {
        return Arbitraries.oneOf(
                List.of(ForeignBytes.random(), ForeignBytes.truncated(), ForeignBytes.ofAnotherVersion()));
    }

    @Property(tries = 200)
    void whatIsCertainlyForeignIsOneLoad(@ForAll("certainlyForeign") ForeignBytes change) {
        try (Victim<String> victim = new Victim<>("foreign", StringCodec.UTF_8, "good")) {
            victim.replaceEntry(change);
            assertThat(victim.loadsOfARead()).isEqualTo(1);
        }
    }

    @Property(tries = 300)
    void underAJsonCache(@ForAll("foreign") ForeignBytes change) throws Exception {
        try (Victim<Product> victim = new Victim<>("json", JsonCodec.of(Product.class), BREAD)) {
            victim.check(change);
        }
    }

    @Property(tries = 300)
    void underACacheOfTexts(@ForAll("foreign") ForeignBytes change) throws Exception {
        try (Victim<String> victim = new Victim<>("texts", StringCodec.UTF_8, "good")) {
            victim.check(change);
        }
    }

    @Property(tries = 300)
    void underACacheOfBytes(@ForAll("foreign") ForeignBytes change) throws Exception {
        try (Victim<byte[]> victim = new Victim<>("bytes", BytesCodec.PLAIN, new byte[] {1, 2, 3})) {
            victim.check(change);
        }
    }

    @Example
    void manyCallersOfTwoNodesShareTheOneLoad() throws Exception {
        try (RedisStore second = RedisStore.connect(server.uri());
                Shop here = new Shop(store, "many");
                Shop there = new Shop(second, "many")) {
            here.source("first").get(KEY);
            raw.send("SET", valueName("many"), "\u00c0\u0002 of a version that is still to come");
            here.loads.set(0);
            here.source("loaded");
            there.source("loaded");
            ExecutorService threads = Executors.newFixedThreadPool(40);
            List<Future<String>> callers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                callers.add(threads.submit(() -> here.get(KEY)));
                callers.add(threads.submit(() -> there.get(KEY)));
            }
            for (Future<String> caller : callers) {
                assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("loaded");
            }
            threads.shutdown();
            assertThat(here.loads.get() + there.loads.get()).isEqualTo(1);
            assertThat(raw.get(valueName("many"))).startsWith("\u00c0\u0001").endsWith("loaded");
        }
    }

    @Property(tries = 20)
    void messagesOfOthersDoNotDeafenTheChannel(@ForAll("messages") List<byte[]> messages) {
        try (Shop here = new Shop(store, "channel", Shop::withNear)) {
            here.source("old").get(KEY);
            messages.forEach(message ->
                    raw.send("PUBLISH", "corral:channel:news", new String(message, StandardCharsets.ISO_8859_1)));
            here.source("new");
            Steps there = new Steps(store, "channel");
            Patience.until("a real announcement is heard", () -> {
                Steps.await(there.region.invalidate(List.of(KEY)));
                return here.get(KEY).equals("new");
            });
            assertThat(store.breaker().allows()).isTrue();
        }
    }

    /** Random, and real ones of this version or another with some bytes changed or cut off. */
    @Provide
    Arbitrary<List<byte[]>> messages() {
        byte[] real = new News(News.Kind.INVALIDATED, 1, 7, 8, "other".getBytes(StandardCharsets.UTF_8)).bytes();
        byte[] otherVersion = new News(News.Kind.PUT, 2, 7, 8, "other".getBytes(StandardCharsets.UTF_8)).bytes();
        return Arbitraries.oneOf(List.of(ForeignBytes.random(), ForeignBytes.flipped(), ForeignBytes.truncated()))
                .flatMap(change -> Arbitraries.of(real, otherVersion).map(change::instead))
                .list()
                .ofSize(50);
    }

    private static String valueName(String cache) {
        return "corral:{" + cache + ":" + Layout.bucket(KEY.getBytes(StandardCharsets.UTF_8)) + "}:v1:" + KEY;
    }

    private static String generationName(String cache) {
        return "corral:{" + cache + ":" + Layout.bucket(KEY.getBytes(StandardCharsets.UTF_8)) + "}:g";
    }

    /** A cache with one good entry, which is about to be replaced. */
    private static final class Victim<V> implements AutoCloseable {
        private final String name;
        private final Codec<V> codec;
        private final V loaded;
        private final AtomicInteger loads = new AtomicInteger();
        private final Cache<String, V> cache;

        /** Without early refreshes, whose loads would count too. */
        Victim(String name, Codec<V> codec, V loaded) {
            this.name = name;
            this.codec = codec;
            this.loaded = loaded;
            this.cache = Corral.newBuilder(name)
                    .strategy(Strategy.mutex())
                    .expireAfterWrite(Duration.ofMinutes(10))
                    .store(store)
                    .keyType(String.class)
                    .codec(codec)
                    .build(key -> {
                        loads.incrementAndGet();
                        return loaded;
                    });
            cache.invalidate(KEY);
            cache.get(KEY);
        }

        /** Reads with one load or none, as what lies there is worth; the next read finds something good. */
        void check(ForeignBytes change) throws Exception {
            byte[] foreign = replaceEntry(change);
            int expected = isServable(foreign) ? 0 : 1;
            assertThat(loadsOfARead()).as("loads").isEqualTo(expected);
        }

        byte[] replaceEntry(ForeignBytes change) {
            byte[] foreign = change.instead(raw.get(valueName(name)).getBytes(StandardCharsets.ISO_8859_1));
            raw.send("SET", valueName(name), new String(foreign, StandardCharsets.ISO_8859_1));
            return foreign;
        }

        int loadsOfARead() {
            int before = loads.get();
            V value = cache.get(KEY);
            int taken = loads.get() - before;
            if (taken > 0) {
                assertThat(value).isEqualTo(loaded);
                assertThat(isServable(raw.get(valueName(name)).getBytes(StandardCharsets.ISO_8859_1)))
                        .as("replaced")
                        .isTrue();
            }
            cache.get(KEY);
            assertThat(loads.get() - before).as("loads of a second read").isEqualTo(taken);
            return taken;
        }

        /** Such a change may be a good entry still, of another value: there is no checksum. */
        private boolean isServable(byte[] bytes) {
            byte[] generation = raw.get(generationName(name)).getBytes(StandardCharsets.ISO_8859_1);
            if (!(Envelope.read(bytes, generation) instanceof Reading.Found found)
                    || found.entry().softExpiry() <= System.currentTimeMillis()) {
                return false;
            }
            byte[] payload = (byte[]) found.entry().payload();
            try {
                return payload == null || codec.decode(Arrays.copyOf(payload, payload.length)) != null;
            } catch (Exception e) {
                return false;
            }
        }

        @Override
        public void close() {
            cache.close();
        }
    }
}
