package dev.corral.lab.chaos;

import dev.corral.Cache;
import dev.corral.Corral;
import dev.corral.Delivery;
import dev.corral.LoadLimiter;
import dev.corral.redis.RedisStore;
import dev.corral.redis.StringCodec;
import java.time.Duration;

/** A node's two caches: one with a near tier and a long time to live, one that expires soon and may serve stale. */
final class NodeCaches {
    private final Cache<String, String> lasting;
    private final Cache<String, String> brief;

    NodeCaches(RedisStore store, Source source) {
        LoadLimiter database = LoadLimiter.of(NodeSettings.LIMIT);
        lasting = Corral.newBuilder("chaos")
                .expireAfterWrite(Duration.ofMinutes(10))
                .near(near -> near.maximumSize(1_000).expireAfter(NodeSettings.NEAR))
                .limit(database)
                .store(store)
                .keyType(String.class)
                .codec(StringCodec.UTF_8)
                .build(source::load);
        brief = Corral.newBuilder("chaos-brief")
                .expireAfterWrite(NodeSettings.BRIEF_TTL)
                .serveStaleOnError(NodeSettings.BRIEF_STALE)
                .backOff(NodeSettings.BACK_OFF, NodeSettings.MOST_BACK_OFF)
                .limit(database)
                .store(store)
                .keyType(String.class)
                .codec(StringCodec.UTF_8)
                .build(source::load);
    }

    String get(String key) {
        return of(key).get(key);
    }

    Delivery invalidate(String key) {
        return of(key).invalidate(key);
    }

    private Cache<String, String> of(String key) {
        return key.startsWith(NodeSettings.BRIEF) ? brief : lasting;
    }
}
