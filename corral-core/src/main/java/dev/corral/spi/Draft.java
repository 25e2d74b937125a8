package dev.corral.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An entry on its way to the store, which adds the instants by its own clock.
 *
 * @param payload bytes, or the value itself where the store {@link Store#keepsReferences keeps references}; null means
 *     known absent
 * @param freshFor from the write to soft expiry
 * @param staleFor from soft to hard expiry; zero when nothing is served stale
 * @param cost what loading it cost
 */
public record Draft(@Nullable Object payload, Duration freshFor, Duration staleFor, Cost cost) {}
