package dev.corral.simulator.plan;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Breaker;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;

/** One process's way to the ideal store: it answers at once, and somebody watches. */
record WatchedStore(MemoryStore store, Node process, Watch watch) implements Store {

    @Override
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener) {
        return new WatchedRegion<>(store.open(settings, listener), process, watch);
    }

    @Override
    public boolean keepsReferences() {
        return store.keepsReferences();
    }

    @Override
    public Breaker breaker() {
        return store.breaker();
    }

    @Override
    public void close() {} // the others still use it
}
