package dev.corral.engine;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Flights of this process that wait for news of a key. */
final class Wakeups<K> {
    private final ConcurrentHashMap<K, List<Runnable>> waiting = new ConcurrentHashMap<>();

    void register(K key, Runnable wake) {
        waiting.merge(key, List.of(wake), Wakeups::join);
    }

    void unregister(K key, Runnable wake) {
        waiting.computeIfPresent(key, (k, all) -> {
            List<Runnable> rest = all.stream().filter(other -> other != wake).toList();
            return rest.isEmpty() ? null : rest;
        });
    }

    void wake(K key) {
        waiting.getOrDefault(key, List.of()).forEach(Runnable::run);
    }

    void wakeAll() {
        waiting.values().forEach(all -> all.forEach(Runnable::run));
    }

    private static List<Runnable> join(List<Runnable> some, List<Runnable> more) {
        return java.util.stream.Stream.concat(some.stream(), more.stream()).toList();
    }
}
