package dev.corral.engine;

import org.jspecify.annotations.Nullable;

/** An entry in the near tier. Before {@code quietUntil} it can be served without another thought. */
final class NearEntry<V> {
    final Object key;
    final @Nullable V value;
    final long quietUntil;
    final long until;
    final Entry<V> entry;

    NearEntry(Object key, Entry<V> entry, long until, long earlyFrom) {
        this.key = key;
        this.value = entry.value();
        this.entry = entry;
        this.until = until;
        this.quietUntil = earlyFrom - until < 0 ? earlyFrom : until;
    }
}
