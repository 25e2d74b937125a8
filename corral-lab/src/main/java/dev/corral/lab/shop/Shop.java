package dev.corral.lab.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The shop's tables, in a schema of their own: products, orders over one year, three lines to an order. The same rows in
 * every run.
 */
public final class Shop implements AutoCloseable {
    /** Ids of products go from 1 to this. */
    public static final int PRODUCTS = 2_000;

    /** Lines to an order. */
    static final int LINES_PER_ORDER = 3;

    private final Connection connection;
    private final String schema;
    private int orders;

    private Shop(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /**
     * Creates the empty shop.
     *
     * @param connection used by the shop alone, and closed with it
     */
    public static Shop create(Connection connection, String schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
            statement.execute("set search_path to " + schema);
            statement.execute(Sql.resource("schema.sql"));
            statement.execute("select setseed(0.42)");
        }
        return new Shop(connection, schema);
    }

    /** Adds orders until there are this many lines; never removes any. */
    public void growTo(int lines) throws SQLException {
        int wanted = lines / LINES_PER_ORDER;
        if (wanted <= orders) {
            return;
        }
        insert("orders.sql", wanted);
        insert("lines.sql", wanted);
        orders = wanted;
        try (Statement statement = connection.createStatement()) {
            statement.execute("vacuum analyze products, orders, order_lines");
        }
    }

    private void insert(String resource, int upTo) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.resource(resource))) {
            statement.setInt(1, orders + 1);
            statement.setInt(2, upTo);
            statement.executeUpdate();
        }
    }

    /** How many order lines there are. */
    public int lines() {
        return orders * LINES_PER_ORDER;
    }

    /** Where the tables are. */
    public String schema() {
        return schema;
    }

    /** The shop's connection, for queries that are to run alone. */
    Connection connection() {
        return connection;
    }

    /** Removes the shop from the server. */
    @Override
    public void close() throws SQLException {
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute("set client_min_messages to warning");
            statement.execute("drop schema if exists " + schema + " cascade");
        }
    }
}
