package dev.corral.lab.app;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Looks at the connection pool fifty times a second and remembers the most waiters it saw. */
final class PoolWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 20;

    private final HikariPoolMXBean pool;
    private final AtomicInteger mostWaiting = new AtomicInteger();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "pool-watch");
        thread.setDaemon(true);
        return thread;
    });

    private PoolWatch(HikariPoolMXBean pool) {
        this.pool = pool;
    }

    static PoolWatch of(HikariDataSource source) {
        PoolWatch watch = new PoolWatch(source.getHikariPoolMXBean());
        var unused = watch.timer.scheduleAtFixedRate(watch::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    private void look() {
        mostWaiting.accumulateAndGet(waiting(), Math::max);
    }

    int active() {
        return pool.getActiveConnections();
    }

    int waiting() {
        return pool.getThreadsAwaitingConnection();
    }

    int mostWaiting() {
        look();
        return mostWaiting.get();
    }

    void reset() {
        mostWaiting.set(0);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
