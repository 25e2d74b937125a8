package dev.corral.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breaker of one store. While it is open no caller touches the store, so none pays a network timeout; a
 * probe of its own asks whether the store is back. There is no half-open state: callers are never the probe.
 *
 * <p>It opens at once when the connection is lost and after {@value #TIMEOUTS} timeouts in a row; an error the store
 * answered with does not count, for a store that answers is there.
 */
public final class Breaker {
    /** How many steps in a row must time out. */
    public static final int TIMEOUTS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
    private static final long FIRST_PROBE = Duration.ofMillis(100).toNanos();
    private static final long SLOWEST_PROBE = Duration.ofSeconds(2).toNanos();
    private static final long PATIENCE_WITH_PROBE = Duration.ofSeconds(5).toNanos();

    private final Platform platform;
    private final Supplier<? extends CompletionStage<?>> probe;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private int timeouts;
    private long probeEvery;
    private volatile boolean open;
    private volatile String reason = "";
    private volatile boolean closed;

    /** Hears of both changes, on whatever thread brought them about. */
    public interface Listener {
        /** The store cannot be used from now on. */
        void opened(String why);

        /** The store answers again. */
        void recovered();
    }

    /**
     * A breaker that lets calls through.
     *
     * @param probe asks the store for a sign of life; a stage that completes normally is one
     */
    public Breaker(Platform platform, Supplier<? extends CompletionStage<?>> probe) {
        this.platform = platform;
        this.probe = probe;
    }

    /** True while the store may be used. */
    public boolean allows() {
        return !open;
    }

    /** A step was answered. */
    public void succeeded() {
        if (timeouts != 0) { // a racy read only costs a needless lock
            synchronized (lock) {
                timeouts = 0;
            }
        }
    }

    /** A step failed. */
    public void failed(StoreException failure) {
        boolean trips;
        synchronized (lock) {
            trips = switch (failure.reason()) {
                case DISCONNECTED -> true;
                case TIMEOUT -> ++timeouts >= TIMEOUTS;
                case REFUSED -> false;
            };
        }
        if (trips) {
            open(String.valueOf(failure.getMessage()));
        }
    }

    /** The store is known to be gone, for instance because its connection broke. */
    public void open(String why) {
        synchronized (lock) {
            if (open) {
                return;
            }
            open = true;
            reason = why;
            probeEvery = FIRST_PROBE;
        }
        probeLater(); // first: without it nothing would ever close the breaker
        tell(listener -> listener.opened(why));
    }

    /** Adds a listener; it is told at once if the breaker is open. */
    public void listen(Listener listener) {
        listeners.add(listener);
        if (open) {
            listener.opened(reason);
        }
    }

    /** Removes a listener. */
    public void forget(Listener listener) {
        listeners.remove(listener);
    }

    /** The store was closed: open from now on, without probes. */
    public void close() {
        closed = true;
        open("the store was closed");
    }

    private void probeLater() {
        if (!closed) {
            platform.delays().after(probeEvery, this::probe);
        }
    }

    private void probe() {
        if (closed) {
            return;
        }
        AtomicBoolean decided = new AtomicBoolean();
        Delays.Timer silence = platform.delays().after(PATIENCE_WITH_PROBE, () -> judge(decided, false));
        CompletionStage<?> answer;
        try {
            answer = probe.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((alive, failure) -> {
            silence.cancel();
            judge(decided, failure == null);
        });
    }

    /** The first word on a probe counts: its answer, or that there was none for too long. */
    private void judge(AtomicBoolean decided, boolean alive) {
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        if (alive) {
            recover();
        } else {
            probeEvery = Math.min(2 * probeEvery, SLOWEST_PROBE);
            probeLater();
        }
    }

    private void recover() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            timeouts = 0;
            open = false;
        }
        tell(Listener::recovered);
    }

    /** One listener's trouble is not the others'. */
    private void tell(Consumer<Listener> news) {
        for (Listener listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn("A cache could not follow a change of its store", e);
            }
        }
    }
}
