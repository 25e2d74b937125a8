package dev.corral.memory;

import dev.corral.spi.Breaker;
import dev.corral.spi.Platform;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A bounded store inside this process, and the reference implementation of the lease protocol. It keeps values by
 * reference, so it needs no codec, and answers at once. Caches of the same name share their entries, as on a server.
 */
public final class MemoryStore implements Store {
    /** How many entries of one cache it holds unless said otherwise. */
    public static final long DEFAULT_MAXIMUM_SIZE = 10_000;

    private final Platform platform;
    private final long maximumSize;
    private final Breaker breaker;
    private final ConcurrentHashMap<String, Shelf<?>> shelves = new ConcurrentHashMap<>();

    private MemoryStore(Platform platform, long maximumSize) {
        if (maximumSize < 1) {
            throw new IllegalArgumentException("maximumSize must be at least 1, got " + maximumSize);
        }
        this.platform = platform;
        this.maximumSize = maximumSize;
        this.breaker = new Breaker(platform, () -> CompletableFuture.completedFuture(true));
    }

    /** A store of {@value #DEFAULT_MAXIMUM_SIZE} entries for each cache. */
    public static MemoryStore create() {
        return on(Platform.system());
    }

    /** A store of that many entries for each cache. */
    public static MemoryStore create(long maximumSize) {
        return new MemoryStore(Platform.system(), maximumSize);
    }

    /** A store that lives by that platform's clock. */
    public static MemoryStore on(Platform platform) {
        return new MemoryStore(platform, DEFAULT_MAXIMUM_SIZE);
    }

    /** A store of that many entries for each cache that lives by that platform's clock. */
    public static MemoryStore on(Platform platform, long maximumSize) {
        return new MemoryStore(platform, maximumSize);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener) {
        String name = settings.name() + ":" + settings.schemaVersion();
        Shelf<K> shelf = (Shelf<K>) shelves.computeIfAbsent(name, n -> new Shelf<K>(platform, maximumSize));
        return new MemoryRegion<>(shelf, settings, listener);
    }

    @Override
    public boolean keepsReferences() {
        return true;
    }

    @Override
    public Breaker breaker() {
        return breaker;
    }

    @Override
    public void close() {
        breaker.close();
        shelves.clear();
    }

    @Override
    public String toString() {
        return "MemoryStore[maximumSize=" + maximumSize + "]";
    }
}
