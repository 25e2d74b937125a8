package dev.corral.simulator.plan;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** When the current entry will have its next reader that could begin a refresh. */
final class Outlook {
    /** The reader's throw is not decided. */
    static final double ANY = -1;
    /**
     * So many readers each process sees one by one before a policy that looks at their gaps can say yes. The engine
     * smooths with an eighth, so the gaps it remembers from before count for an eighth in the end.
     */
    static final int TO_LEARN = 16;

    private final @Nullable Chance chance;
    private final SplittableRandom random;
    private final double gap;
    private @Nullable Entry entry;
    private long oneByOneFrom;

    /** @param gap nanoseconds between readers of one process */
    Outlook(@Nullable Chance chance, SplittableRandom random, double gap) {
        this.chance = chance;
        this.random = random;
        this.gap = gap;
    }

    /** A read at which something may happen. */
    record Read(long at, double dice) {}

    void replaced(@Nullable Entry next) {
        entry = next;
        if (next != null && chance != null && chance.looksAtGaps()) {
            long learning = (long) (TO_LEARN * gap) + chance.windowWithGap(next.measured(), gap);
            oneByOneFrom = next.soft() - Math.min(chance.window(next.measured()), learning);
        }
    }

    /** Until when readers are served without waiting; long ago if there is nothing. */
    long servedUntil() {
        return entry == null ? Long.MIN_VALUE : entry.hard();
    }

    /** Null if none comes while the entry can be served. */
    @Nullable
    Read next(long now, double perNano) {
        Entry current = entry;
        if (current == null || now >= current.hard()) {
            return null;
        }
        if (chance != null && now < current.soft()) {
            Read early = chance.looksAtGaps() ? any(current, now, perNano) : yes(chance, current, now, perNano);
            if (early != null) {
                return early;
            }
        }
        long at = after(Math.max(now, current.soft()), perNano);
        return at < current.hard() ? new Read(at, ANY) : null;
    }

    private @Nullable Read any(Entry current, long now, double perNano) {
        long at = after(Math.max(now, oneByOneFrom), perNano);
        return at < current.soft() ? new Read(at, ANY) : null;
    }

    private static @Nullable Read yes(Chance chance, Entry current, long now, double perNano) {
        long remaining = chance.next(current.measured(), current.soft() - now, perNano);
        if (remaining == Chance.NEVER) {
            return null;
        }
        return new Read(current.soft() - remaining, chance.yes(current.measured(), remaining));
    }

    private long after(long from, double perNano) {
        double wait = Math.min(1e18, Draws.exponential(random) / perNano);
        return from + Math.max(1, (long) wait);
    }
}
