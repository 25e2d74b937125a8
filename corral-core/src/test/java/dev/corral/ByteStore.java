package dev.corral;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Breaker;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;

/** A memory store that pretends to be outside the process: payloads are bytes. */
record ByteStore(MemoryStore behind) implements Store {
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
