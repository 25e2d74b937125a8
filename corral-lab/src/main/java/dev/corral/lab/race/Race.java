package dev.corral.lab.race;

import dev.corral.lab.LabException;
import dev.corral.lab.RaceStrategy;
import dev.corral.lab.app.StoredEntries;
import dev.corral.lab.measure.ActivitySampler;
import dev.corral.lab.measure.PostgresLog;
import dev.corral.lab.servers.Cleanup;
import dev.corral.lab.servers.Servers;
import dev.corral.lab.servers.TempFolder;
import dev.corral.lab.shop.Calibration;
import dev.corral.lab.shop.Calibrator;
import dev.corral.lab.shop.Shop;
import dev.corral.lab.shop.ShopDataSource;
import java.net.http.HttpClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** A whole race: servers, shop, calibration, then one strategy after the other. */
public final class Race {
    private static final String DRIVER = "corral-race-driver";

    private final RaceSettings settings;
    private final Progress progress;
    private final Consumer<StrategyResult> finished;
    private final String run = "corral_race_" + UUID.randomUUID().toString().substring(0, 8);
    private final long began = System.nanoTime();

    /**
     * A race that has not begun.
     *
     * @param finished told each strategy's result as soon as there is one
     */
    public Race(RaceSettings settings, Progress progress, Consumer<StrategyResult> finished) {
        this.settings = settings;
        this.progress = progress;
        this.finished = finished;
    }

    /** Runs it; when this returns or throws, whatever it started is gone. */
    public RaceResult run() {
        try (Cleanup cleanup = new Cleanup()) {
            TempFolder temp = TempFolder.create();
            say("starting " + embedded());
            Servers servers = Servers.open(settings.ownRedis(), settings.ownDatabase(), temp, cleanup);
            Connection connection = connect(servers);
            Map<String, String> versions = Versions.of(redisName(), servers.redisUri(), connection);
            Shop shop = Shop.create(connection, run);
            removeFromOwnServers(shop, cleanup);
            Calibration calibration = calibrate(shop);
            Course course = new Course(settings, servers, calibration, run, temp.path(), loadClient());
            ActivitySampler sampler = cleanup.add(ActivitySampler.start(connect(servers)));
            List<StrategyResult> results = raceAll(course, sampler, cleanup);
            String counting = servers.databaseLog().isPresent() ? PostgresLog.METHOD : ActivitySampler.METHOD;
            return new RaceResult(settings, calibration, course.ttl(), versions, counting, results, elapsed());
        } catch (SQLException e) {
            throw new LabException(databaseName() + ": " + e.getMessage(), e);
        }
    }

    /** What is on embedded servers goes with them. */
    private void removeFromOwnServers(Shop shop, Cleanup cleanup) {
        settings.ownDatabase().ifPresent(own -> cleanup.add(shop));
        settings.ownRedis().ifPresent(own -> cleanup.add(new StoredEntries(own, cacheNames())));
    }

    private List<String> cacheNames() {
        return settings.strategies().stream()
                .map(strategy -> Course.cacheName(run, strategy))
                .toList();
    }

    /** As errors call it: the user's own by the option that named it. */
    private String redisName() {
        return settings.ownRedis().isPresent() ? "--redis: Redis" : "Redis";
    }

    private String databaseName() {
        return settings.ownDatabase().isPresent() ? "--postgres: PostgreSQL" : "PostgreSQL";
    }

    private String embedded() {
        List<String> starting = new ArrayList<>();
        settings.ownRedis().ifPresentOrElse(own -> {}, () -> starting.add("Redis"));
        settings.ownDatabase().ifPresentOrElse(own -> {}, () -> starting.add("PostgreSQL"));
        return starting.isEmpty() ? "with the servers given" : String.join(" and ", starting);
    }

    private Connection connect(Servers servers) throws SQLException {
        return ShopDataSource.of(servers.jdbcUrl(), run, DRIVER).getConnection();
    }

    private Calibration calibrate(Shop shop) throws SQLException {
        say("filling the shop");
        Calibrator calibrator = new Calibrator(shop, settings.queryTime());
        calibrator.fill();
        say("measuring the query alone");
        Calibration calibration = calibrator.calibrate();
        say("Q = %d ms (median of five alone, %,d order lines, the last %d days), TTL %.1f s"
                .formatted(
                        calibration.queryAlone().toMillis(),
                        calibration.lines(),
                        calibration.window().toDays(),
                        settings.ttlFor(calibration.queryAlone()).toMillis() / 1e3));
        return calibration;
    }

    private List<StrategyResult> raceAll(Course course, ActivitySampler sampler, Cleanup cleanup) {
        List<StrategyResult> results = new ArrayList<>();
        for (RaceStrategy strategy : settings.strategies()) {
            say("%d of %d, %s: starting %d application processes"
                    .formatted(results.size() + 1, settings.strategies().size(), strategy, settings.nodes()));
            Nodes nodes = cleanup.add(
                    Nodes.launch(settings.nodes(), course.appSettings(strategy), course.folder(), course.client()));
            nodes.awaitReady();
            StrategyResult result = new StrategyRace(course, strategy, nodes, sampler, progress).run();
            cleanup.closeEarly(nodes);
            results.add(result);
            finished.accept(result);
        }
        return List.copyOf(results);
    }

    private static HttpClient loadClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .build();
    }

    private void say(String line) {
        progress.say("%5.1f s  %s".formatted(elapsed().toMillis() / 1e3, line));
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
