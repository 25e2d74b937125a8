package dev.corral.lab.measure;

import dev.corral.lab.LabException;
import dev.corral.lab.shop.ShopDataSource;
import dev.corral.lab.shop.TrendingQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts executions by looking at {@code pg_stat_activity} many times a second. For the live display, and for the count
 * itself on a server whose log we cannot read.
 *
 * <p>A query that takes a hundred times longer than the time between two looks cannot be missed: the count and the start,
 * which the server says itself, are exact; the end is so by one such time.
 */
public final class ActivitySampler implements QueryLog, AutoCloseable {
    private static final long PERIOD_MILLIS = 20;

    /** How this counts, for the reader of a report. */
    public static final String METHOD = "pg_stat_activity, looked at every " + PERIOD_MILLIS + " ms";

    private static final String SQL = """
            select pid, (extract(epoch from clock_timestamp()) * 1000000)::bigint,
                (extract(epoch from xact_start) * 1000000)::bigint
            from pg_stat_activity
            where state = 'active' and application_name = ? and query like ?""";

    private final Connection connection;
    private final PreparedStatement statement;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "activity-sampler");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Execution, QueryRun> running = new HashMap<>();
    private final List<QueryRun> ended = new ArrayList<>();
    private @Nullable SQLException failure;

    private record Execution(int pid, long startedServerMicros) {}

    private ActivitySampler(Connection connection, PreparedStatement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    /**
     * Looks from now on.
     *
     * @param connection used by the sampler alone, and closed with it
     */
    public static ActivitySampler start(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(SQL);
        statement.setString(1, ShopDataSource.APPLICATION);
        statement.setString(2, TrendingQuery.MARKER + "%");
        ActivitySampler sampler = new ActivitySampler(connection, statement);
        var unused = sampler.timer.scheduleWithFixedDelay(sampler::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return sampler;
    }

    private synchronized void look() {
        if (failure != null) {
            return;
        }
        Set<Execution> seen = new HashSet<>();
        long now = nowMicros();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                long started = rows.getLong(3);
                seen.add(new Execution(rows.getInt(1), started));
                long start = now - Math.max(0, rows.getLong(2) - started);
                running.putIfAbsent(new Execution(rows.getInt(1), started), new QueryRun(start, now));
            }
        } catch (SQLException e) {
            failure = e;
        }
        end(seen, now);
    }

    private void end(Set<Execution> seen, long now) {
        running.entrySet().removeIf(entry -> {
            boolean gone = !seen.contains(entry.getKey());
            if (gone) {
                ended.add(new QueryRun(entry.getValue().startMicros(), now));
            }
            return gone;
        });
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public synchronized List<QueryRun> runs() {
        checkHealth();
        return List.copyOf(ended);
    }

    /** Those running now, as if they ended now. */
    public synchronized List<QueryRun> running() {
        checkHealth();
        long now = nowMicros();
        return running.values().stream()
                .map(run -> new QueryRun(run.startMicros(), now))
                .toList();
    }

    private void checkHealth() {
        if (failure != null) {
            throw new LabException("pg_stat_activity could not be read: " + failure.getMessage(), failure);
        }
    }

    /** Forgets what ended so far. */
    public synchronized void reset() {
        ended.clear();
    }

    @Override
    public void close() throws SQLException {
        timer.shutdownNow();
        synchronized (this) {
            connection.close();
        }
    }
}
