package dev.corral.lab.race;

import dev.corral.lab.RaceStrategy;
import dev.corral.lab.measure.Episode;
import java.util.List;

/** Says how the current strategy is doing: a line that is overwritten, and one to keep for each expiry. */
final class LiveLine {
    private final Progress progress;
    private final RaceStrategy strategy;
    private final int wanted;
    private int told;

    LiveLine(Progress progress, RaceStrategy strategy, int wanted) {
        this.progress = progress;
        this.strategy = strategy;
        this.wanted = wanted;
    }

    void warmingUp(int open) {
        progress.live("%s: warming up, %d requests open".formatted(strategy, open));
    }

    void racing(List<Episode> episodes, int running, int open) {
        while (told < episodes.size() - 1) {
            tell(episodes.get(told++));
        }
        progress.live("%s: %s %d of %d, %d queries running, %d requests open"
                .formatted(strategy, event(), episodes.size(), wanted, running, open));
    }

    private void tell(Episode episode) {
        progress.live("%s: %s %d set off %d queries".formatted(strategy, event(), told, episode.queries()));
    }

    private String event() {
        return strategy.refreshesAhead() ? "refresh" : "expiry";
    }

    void gaveUp() {
        progress.say("%s: fewer than %d came in time, going on".formatted(strategy, wanted));
    }

    void draining(int open) {
        progress.live("%s: waiting for the last %d requests".formatted(strategy, open));
    }

    void end() {
        progress.live("");
    }
}
