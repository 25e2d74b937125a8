package dev.corral.lab.chaos;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one load has written into the database.
 *
 * @param ended 0 if it never did
 */
record LoadRow(long id, String key, String node, long began, long ended) {

    /** How long the longest of these took that ended. */
    static Duration longest(List<LoadRow> loads) {
        return Duration.ofNanos(loads.stream()
                .filter(load -> load.ended != 0)
                .mapToLong(load -> load.ended - load.began)
                .max()
                .orElse(0));
    }

    /** How many of these ran at the same moment, at most. */
    static int mostAtOnce(List<LoadRow> loads) {
        int most = 0;
        for (LoadRow each : loads) {
            most = Math.max(most, (int)
                    loads.stream().filter(load -> load.runsAt(each.began)).count());
        }
        return most;
    }

    /** The same among those that have this in common, for whichever of them it was the most. */
    static int mostAtOncePer(Function<LoadRow, Object> what, List<LoadRow> loads) {
        return loads.stream().collect(Collectors.groupingBy(what)).values().stream()
                .mapToInt(LoadRow::mostAtOnce)
                .max()
                .orElse(0);
    }

    private boolean runsAt(long instant) {
        return began <= instant && (ended == 0 || instant < ended);
    }
}
