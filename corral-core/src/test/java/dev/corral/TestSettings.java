package dev.corral;

import java.time.Duration;

/** Settings for tests of the engine's rooms, as the builder makes them. */
public final class TestSettings {
    private TestSettings() {}

    /** The defaults, with a time to live of a minute. */
    public static CacheSettings defaults() {
        return Corral.newBuilder("c").expireAfterWrite(Duration.ofMinutes(1)).settings();
    }
}
