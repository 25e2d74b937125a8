package dev.corral.lab.race;

import dev.corral.lab.LabException;
import dev.corral.lab.app.AppMetrics;
import dev.corral.lab.app.AppProcess;
import dev.corral.lab.app.AppSettings;
import dev.corral.lab.servers.Pause;
import dev.corral.lab.shop.Shop;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The application processes of one strategy. */
final class Nodes implements AutoCloseable {
    private static final Duration FIRST_VALUE_LIMIT = Duration.ofSeconds(60);
    private static final String HOT_PAGE = "/products/trending";

    private final List<AppProcess> nodes = new ArrayList<>();

    /** Starts them all at once, without waiting for them. */
    static Nodes launch(int count, AppSettings settings, Path folder, HttpClient client) {
        Nodes nodes = new Nodes();
        for (int i = 1; i <= count; i++) {
            Path log = folder.resolve("app-" + settings.strategy() + "-" + i + ".log");
            nodes.nodes.add(AppProcess.launch(settings, log, client));
        }
        return nodes;
    }

    /** Waits until all listen, and the cache has its first value: a race begins with a warm cache. */
    void awaitReady() {
        nodes.forEach(AppProcess::awaitPort);
        long deadline = System.nanoTime() + FIRST_VALUE_LIMIT.toNanos();
        for (AppProcess node : nodes) {
            while (!node.get(HOT_PAGE)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new LabException("the cache has no first value after " + FIRST_VALUE_LIMIT.toSeconds()
                            + " s: " + node.complaint());
                }
                Pause.millis(50);
            }
        }
    }

    /** Where request number n to the popular page goes: to each node in turn. */
    URI hot(int number) {
        return nodes.get(number % nodes.size()).uri(HOT_PAGE);
    }

    /** Where request number n to the unrelated page goes. */
    URI unrelated(int number) {
        return nodes.get(number % nodes.size()).uri("/products/" + (1 + number % Shop.PRODUCTS));
    }

    void resetMetrics() {
        nodes.forEach(AppProcess::resetMetrics);
    }

    List<AppMetrics> metrics() {
        return nodes.stream().map(AppProcess::metrics).toList();
    }

    @Override
    public void close() {
        nodes.forEach(AppProcess::close);
    }

    @Override
    public String toString() {
        return nodes.toString();
    }
}
