package dev.corral.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once if the server, when full, would throw out the shortest-lived keys first: leases and records. */
final class EvictionPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);
    private static final String SETTING = "maxmemory-policy";

    private final Link link;
    private final AtomicBoolean checked = new AtomicBoolean();

    EvictionPolicy(Link link) {
        this.link = link;
    }

    void checkOnce() {
        if (checked.compareAndSet(false, true)) {
            link.run(Duration.ofSeconds(2), redis -> redis.configGet(SETTING)).whenComplete((found, failure) -> {
                if (failure == null) {
                    look(found);
                } else {
                    LOG.debug("The server does not tell its eviction policy", failure);
                }
            });
        }
    }

    private void look(Map<String, String> settings) {
        String policy = settings.getOrDefault(SETTING, "");
        if (policy.equals("volatile-ttl")) {
            LOG.warn(
                    "{} evicts by {}: when its memory is full, the keys with the shortest time to live go first, and"
                            + " those are leases and records. Prefer allkeys-lru, allkeys-lfu or volatile-lru.",
                    link.where(),
                    policy);
        }
    }
}
