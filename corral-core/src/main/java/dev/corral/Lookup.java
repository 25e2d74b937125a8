package dev.corral;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A value together with how good it is.
 *
 * @param outcome FRESH, STALE or PENDING
 * @param value the value; null when pending and when the key is known absent
 * @param age how long ago the entry was written; zero when pending
 * @param retryAfter when pending, after what time asking again makes sense; else zero
 * @param source where the value came from
 */
public record Lookup<V>(Outcome outcome, @Nullable V value, Duration age, Duration retryAfter, Source source) {

    /** An answer that has to wait. */
    public static <V> Lookup<V> pending(Duration retryAfter) {
        return new Lookup<>(Outcome.PENDING, null, Duration.ZERO, retryAfter, Source.NONE);
    }

    /** True if the key is known to have no value. */
    public boolean isKnownAbsent() {
        return value == null && outcome != Outcome.PENDING;
    }
}
