package dev.corral.lab.app;

import dev.corral.Cache;
import dev.corral.CacheBuilder;
import dev.corral.CacheStats;
import dev.corral.Corral;
import dev.corral.LoadLimiter;
import dev.corral.Strategy;
import dev.corral.lab.RaceStrategy;
import dev.corral.redis.RedisStore;
import dev.corral.redis.StringCodec;
import java.util.concurrent.Callable;

/**
 * The popular page's cache: the same but for its strategy in every turn of the race. It has no near tier, so that every
 * hit is a read of Redis, and no jitter, so that one key's expiries can be told apart.
 */
final class TrendingCache implements AutoCloseable {
    static final String KEY = "today";

    private final RedisStore store;
    private final Cache<String, String> cache;

    private TrendingCache(RedisStore store, Cache<String, String> cache) {
        this.store = store;
        this.cache = cache;
    }

    static TrendingCache open(AppSettings settings, Callable<String> loader) {
        RedisStore store = RedisStore.connect(settings.redisUri());
        CacheBuilder<Object, String> builder = Corral.newBuilder(settings.cacheName())
                .strategy(strategy(settings.strategy()))
                .expireAfterWrite(settings.ttl())
                .jitter(0)
                .store(store)
                .codec(StringCodec.UTF_8);
        if (settings.strategy() == RaceStrategy.EXTERNAL) {
            builder.precompute(job -> job.keys(KEY).every(settings.ttl().dividedBy(2)));
        }
        if (settings.strategy() == RaceStrategy.NAIVE) {
            builder.limit(LoadLimiter.unlimited());
        }
        return new TrendingCache(store, builder.build((String key) -> loader.call()));
    }

    private static Strategy strategy(RaceStrategy strategy) {
        return switch (strategy) {
            case NAIVE -> Strategy.naive();
            case MUTEX -> Strategy.mutex();
            case EARLY -> Strategy.early();
            case EXTERNAL -> Strategy.external();
        };
    }

    String trending() {
        return String.valueOf(cache.get(KEY));
    }

    Counts counts() {
        CacheStats stats = cache.stats();
        long hits = stats.nearHits() + stats.storeHits() + stats.staleServed();
        return new Counts(hits + stats.misses() + stats.pendingServed(), hits, stats.loads());
    }

    @Override
    public void close() {
        cache.close();
        store.close();
    }

    record Counts(long reads, long hits, long loads) {}
}
