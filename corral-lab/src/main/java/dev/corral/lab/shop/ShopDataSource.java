package dev.corral.lab.shop;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections to the shop, set up alike wherever they are made, so that one query costs the same in each. */
public final class ShopDataSource {
    /** What the applications' connections are called in PostgreSQL. */
    public static final String APPLICATION = "corral-race-app";

    /** Quotes URLs, passwords and all, in warnings about what it throws anyway. Held, so that it stays silent. */
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    static {
        DRIVER.setLevel(Level.OFF);
    }

    private ShopDataSource() {}

    /** Whether the driver can read this URL. */
    public static boolean accepts(String jdbcUrl) {
        try {
            new PGSimpleDataSource().setUrl(jdbcUrl);
            return jdbcUrl.startsWith("jdbc:postgresql:");
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    /**
     * One query is to use one core and one plan: no parallel workers, no JIT, no switch to a generic plan.
     *
     * @param schema where the shop's tables are
     */
    public static PGSimpleDataSource of(String jdbcUrl, String schema, String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        source.setCurrentSchema(schema);
        source.setApplicationName(application);
        source.setPrepareThreshold(0);
        source.setOptions("-c jit=off -c max_parallel_workers_per_gather=0");
        return source;
    }
}
