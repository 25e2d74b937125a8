package dev.corral.testkit;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Store;
import java.time.Duration;

/** The reference implementation keeps the contract; two nodes of one process share it. */
class MemoryStoreContractTest extends StoreContract {
    private final VirtualWorld world = new VirtualWorld();
    private final MemoryStore store = MemoryStore.on(world.platform());

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Store otherStore() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        world.pass(time);
    }
}
