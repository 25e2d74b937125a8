package dev.corral.benchmarks;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.corral.Cache;
import dev.corral.Corral;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A near hit beside a hit of Caffeine with expiry, without expiry, and with expiry and statistics (Corral counts its
 * hits always). Read the ratios of one run, not the absolute figures.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@SuppressWarnings("NullAway.Init")
public class NearHitBenchmark {
    private static final int KEYS = 1024;

    private String[] keys;
    private Cache<String, byte[]> corral;
    private LoadingCache<String, byte[]> caffeineWithExpiry;
    private LoadingCache<String, byte[]> caffeineWithExpiryAndStats;
    private LoadingCache<String, byte[]> caffeineWithoutExpiry;

    /** Each thread walks the keys in its own order. */
    @State(Scope.Thread)
    public static class Walk {
        private int at;

        private String next(String[] keys) {
            at += 31;
            return keys[at & (KEYS - 1)];
        }
    }

    /** Fills all caches. */
    @Setup
    public void fill(Blackhole hole) {
        Duration long1 = Duration.ofHours(1);
        corral = Corral.newBuilder("bench")
                .expireAfterWrite(long1)
                .near(near -> near.maximumSize(4 * KEYS).expireAfter(long1))
                .build((String key) -> new byte[200]);
        caffeineWithExpiry = Caffeine.newBuilder()
                .maximumSize(4 * KEYS)
                .expireAfterWrite(long1)
                .build(key -> new byte[200]);
        caffeineWithExpiryAndStats = Caffeine.newBuilder()
                .maximumSize(4 * KEYS)
                .expireAfterWrite(long1)
                .recordStats()
                .build(key -> new byte[200]);
        caffeineWithoutExpiry = Caffeine.newBuilder().maximumSize(4 * KEYS).build(key -> new byte[200]);
        keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "product:" + i;
            hole.consume(corral.get(keys[i]));
            hole.consume(caffeineWithExpiry.get(keys[i]));
            hole.consume(caffeineWithExpiryAndStats.get(keys[i]));
            hole.consume(caffeineWithoutExpiry.get(keys[i]));
        }
    }

    /** Corral, a near hit. */
    @Benchmark
    public byte @Nullable [] corral(Walk walk) {
        return corral.get(walk.next(keys));
    }

    /** Caffeine with expireAfterWrite. */
    @Benchmark
    public byte[] caffeineWithExpiry(Walk walk) {
        return caffeineWithExpiry.get(walk.next(keys));
    }

    /** Caffeine with expireAfterWrite and recordStats. */
    @Benchmark
    public byte[] caffeineWithExpiryAndStats(Walk walk) {
        return caffeineWithExpiryAndStats.get(walk.next(keys));
    }

    /** Caffeine without expiry: the floor. */
    @Benchmark
    public byte[] caffeineWithoutExpiry(Walk walk) {
        return caffeineWithoutExpiry.get(walk.next(keys));
    }
}
