package dev.corral;

import dev.corral.spi.Breaker;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import java.nio.charset.StandardCharsets;

/** A memory store that pretends to be outside the process: payloads are bytes. */
record ByteStore(Store behind) implements Store {
    static final Codec<String> TEXT = new Codec<>() {
        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    };

    @Override
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener) {
        return behind.open(settings, listener);
    }

    @Override
    public boolean keepsReferences() {
        return false;
    }

    @Override
    public Breaker breaker() {
        return behind.breaker();
    }

    @Override
    public void close() {}
}
