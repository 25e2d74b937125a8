package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.KeyCodec;
import dev.corral.spi.Region;
import dev.corral.spi.RegionSettings;
import dev.corral.testkit.HeardNews;
import dev.corral.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A write under another schema version is carried over once, however many nodes hear of it. */
class RelayedWriteTest {
    private static final int NODES = 3;

    @Test
    void theFirstNodeThatHearsOfItCarriesItOverForAll() throws Exception {
        List<HeardNews> ears = new ArrayList<>();
        try (TestRedis server = TestRedis.start();
                RedisStore old = RedisStore.connect(server.uri());
                RedisStore young = RedisStore.connect(server.uri())) {
            Region<String> writer = open(old, 1, new HeardNews());
            for (int i = 0; i < NODES; i++) {
                HeardNews ear = new HeardNews();
                ears.add(ear);
                open(young, 2, ear);
            }
            Patience.until("all hear", () -> {
                invalidate(writer, "ear");
                return ears.stream().allMatch(ear -> heard(ear, "ear") > 0);
            });

            invalidate(writer, "k");
            invalidate(writer, "later");

            // What is carried over of the later one is heard after what is carried over of the first.
            Patience.until("the later one", () -> total(ears, "later") == NODES + NODES - 1);
            assertThat(total(ears, "k"))
                    .as("each hears the writer, and all but one the one that carried it over")
                    .isEqualTo(NODES + NODES - 1);
        }
    }

    private static Region<String> open(RedisStore store, int version, HeardNews ear) {
        return store.open(
                new RegionSettings<>(
                        "relayed", KeyCodec.of(String.class), version, Duration.ofMinutes(1), Duration.ofSeconds(2)),
                ear);
    }

    private static void invalidate(Region<String> region, String key) {
        region.invalidate(List.of(key))
                .toCompletableFuture()
                .orTimeout(5, TimeUnit.SECONDS)
                .join();
    }

    private static long total(List<HeardNews> ears, String key) {
        return ears.stream().mapToLong(ear -> heard(ear, key)).sum();
    }

    private static long heard(HeardNews ear, String key) {
        return ear.heard().stream().filter(("invalidated " + key)::equals).count();
    }
}
