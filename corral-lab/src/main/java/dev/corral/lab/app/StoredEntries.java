package dev.corral.lab.app;

import dev.corral.Cache;
import dev.corral.Corral;
import dev.corral.Delivery;
import dev.corral.lab.LabException;
import dev.corral.redis.RedisStore;
import dev.corral.redis.StringCodec;
import java.time.Duration;
import java.util.List;

/** What the race's caches keep in a Redis that is not ours; closing removes it, before it would expire by itself. */
public final class StoredEntries implements AutoCloseable {
    private final String redisUri;
    private final List<String> cacheNames;

    /** Of these caches. */
    public StoredEntries(String redisUri, List<String> cacheNames) {
        this.redisUri = redisUri;
        this.cacheNames = List.copyOf(cacheNames);
    }

    /** To be called when the applications are gone, else they may store again. */
    @Override
    public void close() {
        try (RedisStore store = RedisStore.connect(redisUri)) {
            cacheNames.forEach(name -> remove(store, name));
        }
    }

    /** The value and its record; then the generations, which never expire. */
    private static void remove(RedisStore store, String name) {
        try (Cache<String, String> cache = Corral.newBuilder(name)
                .expireAfterWrite(Duration.ofMinutes(1))
                .store(store)
                .codec(StringCodec.UTF_8)
                .build((String key) -> key)) {
            if (cache.invalidate(TrendingCache.KEY) == Delivery.QUEUED || cache.invalidateAll() == Delivery.QUEUED) {
                throw new LabException("Redis does not answer; keys of cache " + name + " are left there");
            }
        }
    }

    @Override
    public String toString() {
        return "entries of " + cacheNames;
    }
}
