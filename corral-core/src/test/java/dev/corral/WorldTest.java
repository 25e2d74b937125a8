package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Platform;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Token;
import dev.corral.testkit.VirtualWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tests in virtual time share: a world, a store, nodes, and a loader that counts and can be told what to do. */
abstract class WorldTest {
    static final Duration TTL = Duration.ofSeconds(60);

    final VirtualWorld world = new VirtualWorld();
    final Platform platform = world.platform();
    final MemoryStore memory = MemoryStore.on(platform);
    final FlakyStore store = new FlakyStore(memory, platform);
    final FlakyStore otherStore = new FlakyStore(memory, platform);
    final Database database = new Database();

    /** A node: its own connection, TTL of 60 s exactly; the world's dice decide on early refresh. */
    CacheBuilder<Object, Object> node() {
        return on(store);
    }

    CacheBuilder<Object, Object> otherNode() {
        return on(otherStore);
    }

    CacheBuilder<Object, Object> on(FlakyStore connection) {
        return Corral.newBuilder("c")
                .platform(platform)
                .store(connection)
                .expireAfterWrite(TTL)
                .earlyRefresh(EarlyRefresh.xfetch())
                .jitter(0);
    }

    /** The store seen from a node that is no cache. */
    Region<String> region() {
        return memory.open(
                new RegionSettings<>("c", KeyCodec.of(String.class), 1, Duration.ofMinutes(2), seconds(1)),
                new Silent<>());
    }

    /** A node that takes the lease and is never heard of again. */
    void hold(String key, Duration lease) {
        Region<String> region = region();
        assertThat(region.acquire(key, new Token(1, 2), lease, null)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Acquisition.Granted.class);
        region.close();
    }

    private static final class Silent<K> implements RegionListener<K> {
        @Override
        public void stored(K key) {}

        @Override
        public void invalidated(K key) {}

        @Override
        public void failed(K key) {}

        @Override
        public void invalidatedAll() {}

        @Override
        public void subscriptionLost() {}

        @Override
        public void subscribed() {}
    }

    /** Collects what happens in a cache. */
    static List<CacheEvent> recordEvents(CacheBuilder<?, ?> builder) {
        List<CacheEvent> events = new ArrayList<>();
        builder.onEvent(events::add);
        return events;
    }

    /** A limiter whose permits are all taken, until the test releases them. */
    static LoadLimiter taken(int permits) {
        LoadLimiter limiter = LoadLimiter.of(permits);
        for (int i = 0; i < permits; i++) {
            assertThat(limiter.permits.tryAcquire()).isTrue();
        }
        return limiter;
    }

    static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    /** What is behind the cache. A query takes its time, during which the world goes on. */
    final class Database implements Loader<String, String> {
        final List<String> queries = new ArrayList<>();
        String row = "v1";
        Duration takes = Duration.ZERO;

        @Nullable
        Exception fails;

        Runnable meanwhile = () -> {};
        int running;
        boolean interrupted;
        int most;

        @Override
        public @Nullable String load(String key) throws Exception {
            queries.add(key);
            most = Math.max(most, ++running);
            try {
                String read = row;
                Exception failure = fails;
                Runnable now = meanwhile;
                meanwhile = () -> {};
                world.elsewhere(now);
                world.pass(takes);
                interrupted |= Thread.interrupted();
                if (failure != null) {
                    throw failure;
                }
                return read.equals("none") ? null : read;
            } finally {
                running--;
            }
        }

        int count() {
            return queries.size();
        }
    }
}
