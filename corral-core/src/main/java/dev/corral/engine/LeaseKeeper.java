package dev.corral.engine;

import dev.corral.spi.Delays;
import dev.corral.spi.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Renews a lease every third of its time until told to stop, and notices when it is lost. */
final class LeaseKeeper<K> {
    private final Engine<K, ?> engine;
    private final K key;
    private final Grant grant;
    private final Duration lease;
    private long held;
    private boolean stopped;
    private Delays.@Nullable Timer timer;

    LeaseKeeper(Engine<K, ?> engine, K key, Grant grant, Duration lease, long askedAt) {
        this.engine = engine;
        this.key = key;
        this.grant = grant;
        this.lease = lease;
        this.held = askedAt;
    }

    synchronized void start() {
        timer = engine.platform.delays().after(lease.toNanos() / 3, this::renew);
    }

    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void renew() {
        long asked = engine.now();
        synchronized (this) {
            if (stopped) {
                return;
            }
        }
        Stages.then(engine.steps.renew(key, grant.token(), lease), Runnable::run, (ours, trouble) -> {
            if (trouble != null) {
                retryWhileHeld();
            } else if (Boolean.TRUE.equals(ours)) {
                renewed(asked);
            } else {
                lost();
            }
        });
    }

    private synchronized void renewed(long asked) {
        held = asked;
        if (!stopped) {
            start();
        }
    }

    /** The store may not have heard us. The lease lasts, by its clock, from when it last did. */
    private void retryWhileHeld() {
        boolean over;
        synchronized (this) {
            over = engine.now() - held >= lease.toNanos();
            if (!over && !stopped) {
                start();
            }
        }
        if (over) {
            lost();
        }
    }

    private void lost() {
        synchronized (this) {
            if (stopped) {
                return; // the load has ended meanwhile and gave the lease up itself
            }
            stopped = true;
        }
        engine.leaseLost(key);
    }
}
