package dev.corral.redis;

import dev.corral.spi.Store;
import dev.corral.testkit.StoreContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real server, from two connections. */
class RedisStoreContractTest extends StoreContract {
    private static TestRedis server;
    private static RedisStore store;
    private static RedisStore otherStore;

    @BeforeAll
    static void connect() throws IOException {
        server = TestRedis.start();
        store = RedisStore.connect(server.uri());
        otherStore = RedisStore.connect(server.uri());
    }

    @AfterAll
    static void stop() throws IOException {
        store.close();
        otherStore.close();
        server.close();
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Store otherStore() {
        return otherStore;
    }

    /** The server's time cannot be moved; the tests wait for what time brings about, and the times are short. */
    @Override
    protected void pass(Duration time) {}
}
