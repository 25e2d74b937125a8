package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The test's side of the database: it changes rows, holds loads up, and counts them. */
final class Ledger implements AutoCloseable {
    private static final String TABLES = "create table sources (key text primary key, version bigint, width int);"
            + " create table loads (id bigserial primary key, key text, node text, began bigint, ended bigint)";

    private final String jdbcUrl;
    private Connection connection;

    Ledger(String jdbcUrl) {
        this.jdbcUrl = jdbcUrl;
        reconnect();
        update(TABLES);
    }

    /** After the database was away. Whatever was held up is not any more. */
    void reconnect() {
        try {
            connection = DriverManager.getConnection(jdbcUrl);
        } catch (SQLException e) {
            throw new AssertionError("the database does not answer", e);
        }
        update("set log_min_duration_statement = -1");
    }

    /** The row gets another version; nobody is told. */
    long change(String key) {
        return number(
                "insert into sources values (?, 2, 0) on conflict (key) do update set version = sources.version + 1"
                        + " returning version",
                key);
    }

    /** Loads of these keys will bring that many characters. */
    void widen(String name, int keys, int width) {
        update("insert into sources select '" + name + "' || k, 1, " + width + " from generate_series(0, " + (keys - 1)
                + ") k");
    }

    /** Loads of this key wait, once they have been counted, until it is opened. */
    void shut(String key) {
        number("select 1 from (select pg_advisory_lock(hashtext(?))) gate", key);
    }

    void open(String key) {
        number("select 1 from (select pg_advisory_unlock(hashtext(?))) gate", key);
    }

    /** The loads of keys of that name. */
    List<LoadRow> loads(String name) {
        return rows(
                "select id, key, node, began, coalesce(ended, 0) from loads where starts_with(key, ?) order by id",
                name);
    }

    /** Waits until that many loads of the key have begun; the database does the pausing. */
    void awaitLoads(String key, int count) {
        awaitLoads(key, "%", 0, count);
    }

    /** The same of keys of that name, on one node, from an instant on. */
    void awaitLoads(String name, String node, long since, int count) {
        String question = "select count(*) from loads, pg_sleep(0.01) where starts_with(key, ?) and node like '" + node
                + "' and began > " + since;
        Patience.until(count + " loads of " + name + " on " + node, () -> number(question, name) >= count);
    }

    String version() {
        try {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void update(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private synchronized long number(String sql, String argument) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, argument);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private synchronized List<LoadRow> rows(String sql, String argument) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, argument);
            List<LoadRow> loads = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    loads.add(new LoadRow(
                            row.getLong(1), row.getString(2), row.getString(3), row.getLong(4), row.getLong(5)));
                }
            }
            return loads;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
