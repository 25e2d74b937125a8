package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Asynchronous reads without a near tier: the answer reaches its caller a little later than it is decided. */
class AsyncReadTest extends WorldTest {

    /** An answer that is on its way is an answer: nothing more is done for the read. */
    @Test
    void aReadThatTheStoreAnswersLoadsNothing() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");

        var answer = cache.getAsync("k");
        world.settle();

        assertThat(answer).isCompletedWithValue("v1");
        assertThat(database.count()).isEqualTo(1);
        assertThat(cache.stats().misses()).isEqualTo(1);
        assertThat(cache.stats().storeHits()).isEqualTo(1);
        assertThat(store.steps()).filteredOn("acquire"::equals).hasSize(1);
    }

    /** As in production, where a pool's thread delivers the answer: on real threads and real time. */
    @Test
    void aThousandReadsThatTheStoreAnswersLoadNothing() {
        var loads = new AtomicInteger();
        Cache<String, String> cache = Corral.newBuilder("c")
                .expireAfterWrite(Duration.ofMinutes(10))
                .earlyRefresh(new Never())
                .build(key -> "v" + loads.incrementAndGet());
        cache.get("k");

        for (int i = 0; i < 1_000; i++) {
            assertThat(cache.getAsync("k").join()).isEqualTo("v1");
        }
        assertThat(loads).hasValue(1);
    }

    private record Never() implements EarlyRefresh {
        @Override
        public long windowNanos(Measured entry) {
            return 0;
        }

        @Override
        public boolean due(Measured entry, long remainingNanos, double dice) {
            return false;
        }
    }
}
