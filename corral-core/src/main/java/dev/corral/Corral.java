package dev.corral;

/** The way in. */
public final class Corral {
    private Corral() {}

    /**
     * Begins to build a cache. Types are inferred from the loader:
     *
     * <pre>{@code
     * Cache<String, Product> products = Corral.newBuilder("products")
     *     .expireAfterWrite(Duration.ofMinutes(10))
     *     .build(id -> repository.find(id));
     * }</pre>
     *
     * @param name the cache's name: caches of that name share their entries on all nodes of a store
     */
    public static CacheBuilder<Object, Object> newBuilder(String name) {
        Check.name(name);
        return new CacheBuilder<>(name);
    }
}
