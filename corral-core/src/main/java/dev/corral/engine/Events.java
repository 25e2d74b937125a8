package dev.corral.engine;

import dev.corral.CacheEvent;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, none of which can harm the engine. Never called with a lock held. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    private final List<Consumer<? super CacheEvent>> listeners;

    Events(List<Consumer<? super CacheEvent>> listeners) {
        this.listeners = listeners;
    }

    /** The event is only made if somebody listens. */
    void tell(Supplier<? extends CacheEvent> event) {
        if (!listeners.isEmpty()) {
            tell(event.get());
        }
    }

    private void tell(CacheEvent event) {
        for (Consumer<? super CacheEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (Throwable e) {
                LOG.warn(
                        "A listener of cache {} threw on {}",
                        event.cache(),
                        event.getClass().getSimpleName(),
                        e);
            }
        }
    }
}
