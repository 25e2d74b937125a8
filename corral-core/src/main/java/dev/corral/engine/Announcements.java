package dev.corral.engine;

import dev.corral.CacheEvent;
import dev.corral.spi.RegionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What other nodes do reaches the near tier, the flights and the waiters here. */
final class Announcements<K, V> implements RegionListener<K> {
    private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);

    private final Engine<K, V> engine;
    private volatile boolean lost;

    Announcements(Engine<K, V> engine) {
        this.engine = engine;
    }

    @Override
    public void stored(K key) {
        engine.epochs.raise(key);
        engine.near.remove(key);
        engine.notes.renewed(key);
        engine.failures.forget(key);
        engine.wakeups.wake(key);
    }

    @Override
    public void invalidated(K key) {
        engine.epochs.raise(key);
        engine.near.remove(key);
        engine.notes.renewed(key);
        engine.failures.forget(key);
        engine.flights.detach(key);
        engine.wakeups.wake(key);
        engine.lookNow(key);
    }

    @Override
    public void failed(K key) {
        engine.wakeups.wake(key);
    }

    @Override
    public void invalidatedAll() {
        engine.epochs.raiseAll();
        engine.near.clear();
        engine.notes.clear();
        engine.failures.clear();
        engine.flights.detachAll();
        engine.wakeups.wakeAll();
        engine.lookAtAllNow();
    }

    @Override
    public void subscriptionLost() {
        lost = true;
        LOG.warn(
                "Cache {} no longer hears announcements: entries of its near tier may be stale for up to their time to"
                        + " live, and waiters fall back to polling",
                engine.name);
        engine.meters.channelLosses.increment();
        engine.wakeups.wakeAll();
        engine.events.tell(() -> new CacheEvent.ChannelLost(engine.name));
    }

    /** Whatever was read before may have been invalidated unheard. */
    @Override
    public void subscribed() {
        engine.epochs.raiseAll();
        engine.near.clear();
        engine.wakeups.wakeAll();
        if (!lost) {
            return; // a cache that has just been opened: not worth a word
        }
        lost = false;
        LOG.info("Cache {} hears announcements again; its near tier was emptied", engine.name);
        engine.events.tell(() -> new CacheEvent.ChannelRestored(engine.name));
    }
}
