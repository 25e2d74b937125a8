package dev.corral.lab.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many queries ran at the same time. */
final class Concurrency {
    private Concurrency() {}

    /** The most at any moment; one that ends exactly when another begins does not run beside it. */
    static int most(List<QueryRun> runs) {
        List<Long> starts = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (QueryRun run : runs) {
            starts.add(run.startMicros());
            ends.add(run.endMicros());
        }
        Collections.sort(starts);
        Collections.sort(ends);
        int most = 0;
        int ended = 0;
        for (int started = 0; started < starts.size(); started++) {
            while (ends.get(ended) <= starts.get(started)) {
                ended++;
            }
            most = Math.max(most, started + 1 - ended);
        }
        return most;
    }
}
