package dev.corral.lab.measure;

import java.util.List;

/** What one expiry, or one refresh ahead of it, set off: the executions of the query that belong to it. */
public record Episode(List<QueryRun> runs) {

    /** Copies. */
    public Episode {
        runs = List.copyOf(runs);
    }

    /** When the first query began. With traffic on the key, that is the moment of expiry. */
    public long startMicros() {
        return runs.get(0).startMicros();
    }

    /** When the last query ended, and with it the last one wrote its value back. */
    public long endMicros() {
        return runs.stream().mapToLong(QueryRun::endMicros).max().orElseThrow();
    }

    /** How many queries it took. */
    public int queries() {
        return runs.size();
    }

    /** How many of them ran at once, at worst. */
    public int mostAtOnce() {
        return Concurrency.most(runs);
    }

    /** How long the slowest took. */
    public long slowestMicros() {
        return runs.stream().mapToLong(QueryRun::micros).max().orElseThrow();
    }
}
