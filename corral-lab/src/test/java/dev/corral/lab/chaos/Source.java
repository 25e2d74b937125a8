package dev.corral.lab.chaos;

import io.lettuce.core.api.async.RedisAsyncCommands;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What a node loads from. A load first writes a row, and so is counted by the database; then it waits for the test's
 * gate, an advisory lock, and for its query. It ends with the version that its row had when it began, as slow queries
 * do.
 */
final class Source {
    /** Begins the names of the counters that Redis keeps of loads that the database cannot count. */
    static final String ATTEMPTS = "attempts:";

    private static final String BEGIN = "insert into loads (key, node, began) values (?, ?, ?)"
            + " returning id, (select coalesce(max(version), 1) from sources where key = ?),"
            + " (select coalesce(max(width), 0) from sources where key = ?)";
    private static final String GATE = "select pg_advisory_xact_lock_shared(hashtext(?)), pg_sleep(?)";
    private static final String END = "update loads set ended = ? where id = ?";

    private final String node;
    private final String jdbcUrl;
    private final RedisAsyncCommands<String, String> counters;

    Source(String node, String jdbcUrl, RedisAsyncCommands<String, String> counters) {
        this.node = node;
        this.jdbcUrl = jdbcUrl;
        this.counters = counters;
    }

    /** The version, the number of the load, and as many more characters as the row wants. */
    String load(String key) throws SQLException {
        if (key.startsWith(NodeSettings.BRIEF)) {
            counters.incr(ATTEMPTS + key); // not waited for
        }
        long began = System.nanoTime();
        try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
            try (PreparedStatement begin = connection.prepareStatement(BEGIN)) {
                begin.setString(1, key);
                begin.setString(2, node);
                begin.setLong(3, began);
                begin.setString(4, key);
                begin.setString(5, key);
                try (ResultSet row = begin.executeQuery()) {
                    row.next();
                    long id = row.getLong(1);
                    String value = row.getLong(2) + " " + id + " " + "x".repeat(row.getInt(3));
                    run(connection, key, id);
                    return value;
                }
            }
        }
    }

    private static void run(Connection connection, String key, long id) throws SQLException {
        try (PreparedStatement gate = connection.prepareStatement(GATE)) {
            gate.setString(1, key);
            gate.setDouble(2, NodeSettings.QUERY.toMillis() / 1_000.0);
            gate.execute();
        }
        try (PreparedStatement end = connection.prepareStatement(END)) {
            end.setLong(1, System.nanoTime());
            end.setLong(2, id);
            end.execute();
        }
    }
}
