package dev.corral.redis;

import dev.corral.Cache;
import dev.corral.CacheBuilder;
import dev.corral.CacheEvent;
import dev.corral.Corral;
import dev.corral.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** One node of an application: a cache of texts in front of a source that counts. */
final class Shop implements AutoCloseable {
    final Cache<String, String> cache;
    final AtomicInteger loads = new AtomicInteger();
    final List<CacheEvent> events = new CopyOnWriteArrayList<>();
    private volatile Source source = key -> "value of " + key;

    /** What the loader asks. */
    interface Source {
        String load(String key) throws Exception;
    }

    Shop(Store store, String name) {
        this(store, name, builder -> builder);
    }

    Shop(Store store, String name, UnaryOperator<CacheBuilder<String, String>> settings) {
        CacheBuilder<String, String> builder = Corral.newBuilder(name)
                .expireAfterWrite(Duration.ofMinutes(10))
                .store(store)
                .keyType(String.class)
                .codec(StringCodec.UTF_8)
                .onEvent(events::add);
        this.cache = settings.apply(builder).build(key -> {
            loads.incrementAndGet();
            return source.load(key);
        });
    }

    /** A near tier that would serve for an hour. */
    static CacheBuilder<String, String> withNear(CacheBuilder<String, String> builder) {
        return builder.near(near -> near.maximumSize(100).expireAfter(Duration.ofHours(1)));
    }

    /** From now on loads bring that. */
    Shop source(Source newSource) {
        this.source = newSource;
        return this;
    }

    Shop source(String value) {
        return source(key -> value);
    }

    String get(String key) {
        return cache.get(key);
    }

    boolean saw(Class<? extends CacheEvent> kind) {
        return events.stream().anyMatch(kind::isInstance);
    }

    @Override
    public void close() {
        cache.close();
    }
}
