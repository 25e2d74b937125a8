package dev.corral.lab.shop;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Makes the query cost what was asked for: more data when it is too cheap, a shorter window when it is too dear. The
 * query really works for its time; nothing in it sleeps.
 */
public final class Calibrator {
    /** "Recent" and the time before it are at most the two halves of the year. */
    static final Duration LONGEST = Duration.ofDays(180);

    /** Lines that cost about a second of one core of an ordinary machine. */
    private static final int LINES_PER_SECOND = 750_000;

    private static final int MOST_LINES = 30_000_000;
    private static final double CLOSE = 0.2;
    private static final double SHORTEST = 0.05;
    private static final int STEPS = 2;
    private static final int RUNS = 5;

    private final Shop shop;
    private final Duration target;
    private double window = 0.8;

    /** For this shop, and a query that costs this. */
    public Calibrator(Shop shop, Duration target) {
        this.shop = shop;
        this.target = target;
    }

    /** Fills the shop with the first guess; {@link #calibrate} corrects it. */
    public void fill() throws SQLException {
        shop.growTo((int) Math.min(MOST_LINES, LINES_PER_SECOND * seconds(target)));
    }

    /** Measures the query five times, and adjusts data and window and measures again while it does not cost the target. */
    public Calibration calibrate() throws SQLException {
        measure(1); // cold
        List<Duration> runs = measure(RUNS);
        for (int step = 0; step < STEPS && !isClose(runs) && adjust(runs); step++) {
            runs = measure(RUNS);
        }
        return new Calibration(median(runs), runs, shop.lines(), window());
    }

    private boolean isClose(List<Duration> runs) {
        return Math.abs(seconds(target) / seconds(median(runs)) - 1) <= CLOSE;
    }

    /** One correction; false when there is nothing left to correct with. */
    private boolean adjust(List<Duration> runs) throws SQLException {
        double ratio = seconds(target) / seconds(median(runs));
        double wanted = window * ratio;
        if (wanted > 1) {
            int lines = (int) Math.min(MOST_LINES, shop.lines() * ratio * 1.05);
            boolean grows = lines > shop.lines();
            shop.growTo(lines);
            return grows;
        }
        boolean shrinks = window > SHORTEST || wanted > SHORTEST;
        window = Math.max(SHORTEST, wanted);
        return shrinks;
    }

    private List<Duration> measure(int times) throws SQLException {
        List<Duration> runs = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            TrendingQuery.run(shop.connection(), window());
            runs.add(Duration.ofNanos(System.nanoTime() - start));
        }
        return runs;
    }

    private Duration window() {
        return Duration.ofSeconds((long) (LONGEST.toSeconds() * window));
    }

    static Duration median(List<Duration> runs) {
        List<Duration> sorted = new ArrayList<>(runs);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
