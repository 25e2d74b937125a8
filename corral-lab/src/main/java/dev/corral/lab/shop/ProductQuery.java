package dev.corral.lab.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The unrelated query: one product by its primary key, a fraction of a millisecond. */
public final class ProductQuery {
    private static final String SQL = Sql.resource("product.sql").strip();

    private ProductQuery() {}

    /** The product as JSON, or nothing if there is none with this id. */
    public static Optional<String> run(Connection connection, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of("{\"id\":%d,\"name\":\"%s\",\"category\":%d,\"price\":%s,\"stock\":%d}"
                                .formatted(
                                        rows.getInt(1),
                                        rows.getString(2),
                                        rows.getInt(3),
                                        rows.getBigDecimal(4),
                                        rows.getInt(5)))
                        : Optional.empty();
            }
        }
    }
}
