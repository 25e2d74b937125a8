package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** A Redis with less memory than the values need: it evicts values, records and generations as it likes. */
final class RedisEvicting implements Fault {
    private static final int KEYS = 150;
    private static final int WIDTH = 8_000;
    private static final long ROOM = 300_000; // for a quarter of them
    private static final int LOADS_MORE = 20;

    @Override
    public String name() {
        return "Redis is too small and evicts under load (`maxmemory`, `allkeys-lru`)";
    }

    @Override
    public String promise() {
        return "no errors; a load for each key, and for what each eviction took along";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String wide = keys + "wide";
        rig.ledger.widen(wide, KEYS, WIDTH);
        long struck = System.nanoTime();
        long evictedBefore = rig.redis.evicted();
        rig.redis.set("maxmemory-policy", "allkeys-lru");
        rig.redis.set("maxmemory", Long.toString(rig.redis.usedMemory() + ROOM));
        rig.traffic(wide, KEYS, rig.a(), rig.b());
        rig.ledger.awaitLoads(wide, KEYS + LOADS_MORE); // so evictions have cost loads
        rig.quiet();
        long evicted = rig.redis.evicted() - evictedBefore;
        rig.redis.set("maxmemory", "0");

        Verdict verdict = Verdict.of(this, rig, keys, struck);
        long allowed = KEYS + evicted * mostKeysOfABucket(wide); // an evicted generation voids its bucket
        assertThat((long) verdict.loads().size())
                .as("loads, with %d evictions", evicted)
                .isLessThanOrEqualTo(allowed);
        Duration wait = verdict.longestLoad().multipliedBy(2); // one for somebody else's permit, one of its own
        return verdict.check(new LoadBudget().allowEach(wide, KEYS, allowed), wait)
                .allowing(allowed);
    }

    /** Buckets are the last eight bits of the key's CRC-32C: docs/redis.md. */
    private static long mostKeysOfABucket(String name) {
        return IntStream.range(0, KEYS)
                .mapToObj(i -> bucket(name + i))
                .collect(Collectors.groupingBy(bucket -> bucket, Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
    }

    private static long bucket(String key) {
        CRC32C sum = new CRC32C();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        return sum.getValue() & 0xFF;
    }
}
