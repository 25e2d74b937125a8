package dev.corral.simulator.plan;

import org.jspecify.annotations.Nullable;

/** Counts loads. An episode is what happens from the first load for an entry until the entry is replaced. */
final class Tally {
    private boolean measuring;
    private boolean episodeOpen;
    private long running;
    private long busySince;
    long busyNanos;
    long loads;
    long most;
    long episodes;
    long earlyEpisodes;
    long leadNanos;
    long ageNanos;
    double attempts;

    /** Counting begins; what runs goes on. */
    void begin(long now) {
        measuring = true;
        most = running;
        busySince = now;
    }

    void end(long now) {
        countBusy(now);
        measuring = false;
    }

    private void countBusy(long now) {
        if (measuring && running > 0) {
            busyNanos += now - busySince;
        }
        busySince = now;
    }

    long running() {
        return running;
    }

    void began(long now, int copies, @Nullable Entry replaced) {
        countBusy(now);
        running += copies;
        if (!measuring) {
            episodeOpen = true;
            return;
        }
        most = Math.max(most, running);
        loads += copies;
        if (!episodeOpen) {
            episodeOpen = true;
            episodes++;
            if (replaced != null) {
                episode(now, replaced);
            }
        }
    }

    private void episode(long now, Entry replaced) {
        ageNanos += now - replaced.writtenAt();
        if (now < replaced.soft()) {
            earlyEpisodes++;
            leadNanos += replaced.soft() - now;
        }
    }

    void ended(long now, int copies) {
        countBusy(now);
        running -= copies;
    }

    void stored() {
        episodeOpen = false;
    }

    void asked(int readers) {
        if (measuring) {
            attempts += readers;
        }
    }
}
