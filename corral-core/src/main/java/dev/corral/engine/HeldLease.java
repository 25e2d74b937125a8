package dev.corral.engine;

import dev.corral.spi.Delays;
import dev.corral.spi.Grant;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to load that the store has granted. It is renewed every third of its time while the loader runs, and notices
 * when it is lost. While the load queues for a permit it is not renewed: another node may have a permit free.
 */
final class HeldLease<K> {
    private final Engine<K, ?> engine;
    private final K key;
    private final Grant grant;
    private final Duration time;
    private final long grantedAt;
    private long heard;
    private long renewUntil;
    private boolean stopped;
    private Delays.@Nullable Timer timer;

    /**
     * A lease that nobody renews yet.
     *
     * @param time how long it lasts; zero if the strategy takes none and only the grant's place in the order counts
     * @param askedAt when the question was sent: it lasts from then at least
     */
    HeldLease(Engine<K, ?> engine, K key, Grant grant, Duration time, long askedAt) {
        this.engine = engine;
        this.key = key;
        this.grant = grant;
        this.time = time;
        this.grantedAt = askedAt;
        this.heard = askedAt;
    }

    Grant grant() {
        return grant;
    }

    /** True if it may have lapsed, or soon will: ask again before relying on it. */
    boolean isOld() {
        return isOlderThan(time.toNanos() / 3);
    }

    /** True if it may be somebody else's already. */
    boolean isOver() {
        return isOlderThan(time.toNanos());
    }

    private boolean isOlderThan(long nanos) {
        return !time.isZero() && engine.now() - grantedAt >= nanos;
    }

    /** Renews it from now on, for as long as a load can take; called again, as long from then. */
    synchronized void keep() {
        if (time.isZero() || stopped) {
            return;
        }
        long now = engine.now();
        renewUntil = now + engine.settings.maximumLoadTime().toNanos() + time.toNanos();
        if (timer == null) {
            renewAfter(Math.max(0, time.toNanos() / 3 - (now - grantedAt))); // at once if the answer was slow
        }
    }

    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void renewLater() {
        renewAfter(time.toNanos() / 3);
    }

    private void renewAfter(long nanos) {
        timer = engine.platform.delays().after(nanos, this::renew);
    }

    private void renew() {
        long asked = engine.now();
        synchronized (this) {
            if (stopped || asked - renewUntil > 0) {
                return; // the load's own watchdog comes first; if that failed, nothing is renewed for ever
            }
        }
        Stages.then(engine.steps.renew(key, grant.token(), time), engine.platform.continuations(), (ours, trouble) -> {
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
        heard = asked;
        if (!stopped) {
            renewLater();
        }
    }

    /** The store may not have heard us. The lease lasts, by its clock, from when it last did. */
    private void retryWhileHeld() {
        boolean over;
        synchronized (this) {
            over = engine.now() - heard >= time.toNanos();
            if (!over && !stopped) {
                renewLater();
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
