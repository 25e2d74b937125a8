package dev.corral.lab.shop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The expensive query: what sells better than before, among what sells better than usual in its category. */
public final class TrendingQuery {
    /** What its text begins with, by which logs and {@code pg_stat_activity} know it. */
    public static final String MARKER = "/* corral:trending */";

    private static final String SQL = Sql.resource("trending.sql");
    private static final ObjectMapper JSON = new ObjectMapper();

    private TrendingQuery() {}

    /**
     * Runs it.
     *
     * @param window how far back "recent" goes; the longer, the more it costs
     * @return the products as JSON
     */
    public static String run(Connection connection, Duration window) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.setDouble(1, (double) window.toSeconds());
            statement.setDouble(2, (double) window.toSeconds());
            try (ResultSet rows = statement.executeQuery()) {
                return json(rows);
            }
        }
    }

    private static String json(ResultSet rows) throws SQLException {
        List<Map<String, Object>> products = new ArrayList<>();
        while (rows.next()) {
            Map<String, Object> product = new LinkedHashMap<>();
            product.put("id", rows.getInt("id"));
            product.put("name", rows.getString("name"));
            product.put("price", rows.getBigDecimal("price"));
            product.put("units", rows.getLong("units"));
            product.put("revenue", rows.getBigDecimal("revenue"));
            product.put("buyers", rows.getLong("buyers"));
            product.put("rise", rows.getLong("rise"));
            products.add(product);
        }
        try {
            return JSON.writeValueAsString(products);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
