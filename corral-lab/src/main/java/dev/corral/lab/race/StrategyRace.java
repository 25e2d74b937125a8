package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.load.Endpoint;
import dev.corral.lab.load.LoadGenerator;
import dev.corral.lab.measure.ActivitySampler;
import dev.corral.lab.measure.Episode;
import dev.corral.lab.measure.Episodes;
import dev.corral.lab.measure.PostgresLog;
import dev.corral.lab.measure.QueryLog;
import dev.corral.lab.measure.QueryRun;
import dev.corral.lab.measure.Windows;
import dev.corral.lab.servers.Pause;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** One strategy's turn: warm up, watch some expiries go by, let the database come to rest. */
final class StrategyRace {
    private static final long LOOK_MILLIS = 100;
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(3);

    private final Course course;
    private final RaceStrategy strategy;
    private final Nodes nodes;
    private final ActivitySampler sampler;
    private final LiveLine live;
    private final LoadGenerator load;
    private final QueryLog queries;

    StrategyRace(Course course, RaceStrategy strategy, Nodes nodes, ActivitySampler sampler, Progress progress) {
        this.course = course;
        this.strategy = strategy;
        this.nodes = nodes;
        this.sampler = sampler;
        this.live = new LiveLine(progress, strategy, course.settings().expiries());
        this.load = new LoadGenerator(course.client());
        this.queries =
                course.servers().databaseLog().<QueryLog>map(PostgresLog::from).orElse(sampler);
    }

    /** With application processes that are ready and a cache that is warm. */
    StrategyResult run() {
        sampler.reset();
        try (load) {
            load.start(Endpoint.HOT, course.settings().rate(), nodes::hot);
            load.start(Endpoint.UNRELATED, RaceSettings.TRICKLE, nodes::unrelated);
            warmUp();
            nodes.resetMetrics();
            load.resetMostOpen();
            Baseline before = Baseline.take(nodes, course.servers().databasePid());
            long start = nowMicros();
            awaitExpiries(start);
            load.close();
            long end = nowMicros();
            drain();
            Baseline after = Baseline.take(nodes, course.servers().databasePid());
            Measurement measurement = new Measurement(course, strategy, start, end);
            return measurement.result(queries.runs(), load, before, after);
        }
    }

    private void warmUp() {
        long end = System.nanoTime() + course.settings().warmUp().toNanos();
        while (System.nanoTime() - end < 0) {
            live.warmingUp(load.open());
            Pause.millis(LOOK_MILLIS);
        }
    }

    private void awaitExpiries(long start) {
        long deadline = System.nanoTime() + course.patience().toNanos();
        while (System.nanoTime() - deadline < 0) {
            List<QueryRun> running = sampler.running();
            List<QueryRun> all = new ArrayList<>(sampler.runs());
            all.addAll(running);
            List<Episode> episodes = Episodes.of(all, course.quietMicros(strategy)).stream()
                    .filter(episode -> episode.startMicros() >= start)
                    .toList();
            if (running.isEmpty() && enough(episodes)) {
                return;
            }
            live.racing(episodes, running.size(), load.open());
            Pause.millis(LOOK_MILLIS);
        }
        live.gaveUp();
    }

    private boolean enough(List<Episode> episodes) {
        if (episodes.size() < course.settings().expiries()) {
            return false;
        }
        Windows windows = new Windows(episodes, course.queryAloneMicros());
        Episode last = episodes.get(episodes.size() - 1);
        return nowMicros() > windows.endOf(last) + course.queryAloneMicros() / 4;
    }

    /** The next strategy is to find a database that has nothing left to do. */
    private void drain() {
        long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
        while ((load.open() > 0 || !sampler.running().isEmpty()) && System.nanoTime() - deadline < 0) {
            live.draining(load.open());
            Pause.millis(LOOK_MILLIS);
        }
        live.end();
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
