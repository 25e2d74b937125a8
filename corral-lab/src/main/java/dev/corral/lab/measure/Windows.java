package dev.corral.lab.measure;

import java.util.List;

/**
 * The times "around" expiries; all else is "between" them.
 *
 * <p>A window begins a little before the first query, since the request that sent it left before it began, and lasts for
 * twice Q, or until the last query has ended where that is later: as long as the herd runs, it is around an expiry.
 */
public final class Windows {
    private static final double BEFORE = 0.1;
    private static final double AFTER = 2;

    private final List<Episode> episodes;
    private final long queryAloneMicros;

    /** Around these episodes. */
    public Windows(List<Episode> episodes, long queryAloneMicros) {
        this.episodes = List.copyOf(episodes);
        this.queryAloneMicros = queryAloneMicros;
    }

    /** Whether this moment is in a window. */
    public boolean around(long micros) {
        return episodes.stream().anyMatch(episode -> micros >= startOf(episode) && micros < endOf(episode));
    }

    private long startOf(Episode episode) {
        return episode.startMicros() - (long) (BEFORE * queryAloneMicros);
    }

    /** When this episode's window is over. */
    public long endOf(Episode episode) {
        return Math.max(episode.startMicros() + (long) (AFTER * queryAloneMicros), episode.endMicros());
    }
}
