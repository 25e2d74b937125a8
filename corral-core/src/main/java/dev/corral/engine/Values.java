package dev.corral.engine;

import dev.corral.CacheSettings;
import dev.corral.Codec;
import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoredEntry;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Values to drafts and stored entries to values, with their times to live. */
final class Values<K, V> {
    private final CacheSettings settings;
    private final Parts<K, V> parts;
    private final @Nullable Codec<V> codec;

    Values(CacheSettings settings, Parts<K, V> parts) {
        this.settings = settings;
        this.parts = parts;
        this.codec = parts.store().keepsReferences() ? null : parts.codec();
    }

    /** The entry, or null if its bytes are not a value; never an exception. */
    @SuppressWarnings("unchecked")
    @Nullable
    Entry<V> decode(K key, StoredEntry stored, StoreClock clock) {
        @Nullable V value;
        Object payload = stored.payload();
        if (payload == null || codec == null) {
            value = (V) payload;
        } else {
            try {
                value = codec.decode((byte[]) payload);
            } catch (Exception | StackOverflowError e) { // deep nesting in foreign bytes overflows the stack
                return null;
            }
            if (value == null) {
                return null;
            }
        }
        long ttl = TimeUnit.MILLISECONDS.toNanos(stored.softExpiry() - stored.writtenAt());
        return new Entry<>(
                value,
                clock.earliestNanoTime(stored.writtenAt()),
                clock.earliestNanoTime(stored.softExpiry()),
                clock.earliestNanoTime(stored.hardExpiry()),
                ttl,
                stored.cost(),
                stored.commitId());
    }

    /** What to store: nothing, for zero time, if the value is not to be cached. */
    Draft draft(K key, @Nullable V value, Cost cost) throws Exception {
        Duration ttl = timeToLive(key, value);
        if (ttl.isZero() || ttl.isNegative()) {
            return new Draft(null, Duration.ZERO, Duration.ZERO, cost);
        }
        Object payload = value == null || codec == null ? value : codec.encode(value);
        Duration stale = value == null ? Duration.ZERO : settings.staleWindow();
        return new Draft(payload, jittered(ttl), stale, cost);
    }

    /** The entry that a draft sent at that instant becomes; the store writes it later, so it cannot live longer there. */
    Entry<V> entry(@Nullable V value, Draft draft, long sent, Token token) {
        long ttl = draft.freshFor().toNanos();
        long soft = sent + ttl;
        return new Entry<>(value, sent, soft, soft + draft.staleFor().toNanos(), ttl, draft.cost(), token);
    }

    private Duration timeToLive(K key, @Nullable V value) {
        if (value == null) {
            return settings.absentAfterWrite();
        }
        return parts.expiry() == null
                ? settings.expireAfterWrite()
                : parts.expiry().apply(key, value);
    }

    /** Jitter only shortens: the time to live is a promise. */
    private Duration jittered(Duration ttl) {
        double share = settings.jitter() * parts.platform().random().nextDouble();
        long nanos = (long) (ttl.toNanos() * (1 - share));
        return Duration.ofMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
    }
}
