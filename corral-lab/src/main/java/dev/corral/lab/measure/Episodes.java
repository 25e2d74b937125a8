package dev.corral.lab.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts the executions of the query by the expiry that set them off, from their times alone.
 *
 * <p>A value lives for its TTL from when it was written, and it is written when a query ends. So the next expiry comes a
 * whole TTL after the last query ended, and a query that begins sooner belongs to the expiry before, however late it is.
 */
public final class Episodes {
    private Episodes() {}

    /**
     * The episodes, in order.
     *
     * @param quietMicros a new one begins with a query that starts so long after all before have ended
     */
    public static List<Episode> of(List<QueryRun> runs, long quietMicros) {
        List<QueryRun> sorted = new ArrayList<>(runs);
        sorted.sort(Comparator.comparingLong(QueryRun::startMicros));
        List<Episode> episodes = new ArrayList<>();
        List<QueryRun> current = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (QueryRun run : sorted) {
            if (!current.isEmpty() && run.startMicros() - end > quietMicros) {
                episodes.add(new Episode(current));
                current.clear();
            }
            current.add(run);
            end = current.size() == 1 ? run.endMicros() : Math.max(end, run.endMicros());
        }
        if (!current.isEmpty()) {
            episodes.add(new Episode(current));
        }
        return List.copyOf(episodes);
    }
}
