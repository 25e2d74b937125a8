package dev.corral.lab.app;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.corral.lab.shop.ProductQuery;
import dev.corral.lab.shop.ShopDataSource;
import dev.corral.lab.shop.TrendingQuery;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small web shop as many are: a thread per request, a connection pool, and one popular page behind a cache. The page of
 * a single product needs the same pool, and no cache.
 */
final class ShopApp implements AutoCloseable {
    /** Far more than the pool has connections, so that the pool is where requests queue. */
    private static final int THREADS = 2_000;

    private final AppSettings settings;
    private final HikariDataSource database;
    private final PoolWatch pool;
    private final TrendingCache cache;
    private final OpenRequests open = new OpenRequests();
    private final Javalin server;

    private ShopApp(AppSettings settings) {
        this.settings = settings;
        this.database = new HikariDataSource(poolOf(settings));
        this.pool = PoolWatch.of(database);
        this.cache = TrendingCache.open(settings, this::load);
        this.server = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.jetty.threadPool = new QueuedThreadPool(THREADS, 16);
        });
    }

    /** Starts serving on a free loopback port. */
    static ShopApp start(AppSettings settings) {
        ShopApp app = new ShopApp(settings);
        app.server
                .get("/products/trending", app.open.count(app::trending))
                .get("/products/{id}", app.open.count(app::product))
                .get("/metrics", context -> context.json(app.metrics()))
                .post("/metrics/reset", context -> app.reset())
                .exception(Exception.class, Failures::answer)
                .start("127.0.0.1", 0);
        return app;
    }

    private static HikariConfig poolOf(AppSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("shop");
        config.setDataSource(ShopDataSource.of(settings.jdbcUrl(), settings.schema(), ShopDataSource.APPLICATION));
        config.setMaximumPoolSize(settings.pool());
        config.setMinimumIdle(settings.pool());
        config.setConnectionTimeout(settings.poolTimeout().toMillis());
        return config;
    }

    private String load() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return TrendingQuery.run(connection, settings.window());
        }
    }

    private void trending(Context context) throws Exception {
        context.contentType("application/json").result(cache.trending());
    }

    private void product(Context context) throws SQLException {
        int id = context.pathParamAsClass("id", Integer.class).get();
        try (Connection connection = database.getConnection()) {
            ProductQuery.run(connection, id)
                    .ifPresentOrElse(
                            product -> context.contentType("application/json").result(product),
                            () -> context.status(404));
        }
    }

    private AppMetrics metrics() {
        TrendingCache.Counts counts = cache.counts();
        return new AppMetrics(
                pool.active(),
                pool.waiting(),
                pool.mostWaiting(),
                open.now(),
                open.most(),
                cpuMillis(),
                counts.reads(),
                counts.hits(),
                counts.loads());
    }

    private static long cpuMillis() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1_000_000
                : 0;
    }

    private void reset() {
        pool.reset();
        open.reset();
    }

    /** Where it listens. */
    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
        cache.close();
        pool.close();
        database.close();
    }
}
