package dev.corral.simulator.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened over the first few times to live that were measured, in equal bins. */
final class Trace {
    private static final int BINS = 600;

    private final long length;
    private final double readersPerBin;
    private final double[] waiting = new double[BINS];
    private final long[] most = new long[BINS];
    private final double[] ages = new double[BINS];
    private long from = Long.MAX_VALUE;
    private int filled;
    private long loads;

    Trace(Duration length, double perNano) {
        this.length = length.toNanos();
        this.readersPerBin = perNano * this.length / BINS;
    }

    void begin(long now) {
        from = now;
        filled = 0;
    }

    private double bin(long instant) {
        return (double) (instant - from) * BINS / length;
    }

    /** Until now so many loads ran and this was the entry; from now on so many loads run. */
    void until(long now, @Nullable Entry entry, long loadsFromNow) {
        if (now >= from) {
            int last = (int) Math.min(BINS - 1, bin(now));
            while (filled < last) {
                close(entry);
            }
            if (now - from < length) {
                most[last] = Math.max(most[last], Math.max(loads, loadsFromNow));
            }
        }
        loads = loadsFromNow;
    }

    private void close(@Nullable Entry entry) {
        most[filled] = Math.max(most[filled], loads);
        long end = from + length / BINS * (filled + 1);
        ages[filled] = entry == null || end >= entry.hard() ? Double.NaN : (end - entry.writtenAt()) / 1e9;
        filled++;
    }

    /** Readers that came evenly spread over that time and noticed that they had to wait. */
    void waited(double mass, long since, long until) {
        if (from == Long.MAX_VALUE || until <= from || since - from >= length) {
            return;
        }
        double first = bin(since);
        double end = Math.max(bin(until), first + 1e-9);
        for (int i = Math.max(0, (int) first); i < Math.min(BINS, Math.ceil(end)); i++) {
            double overlap = Math.min(end, i + 1) - Math.max(first, i);
            waiting[i] += mass * Math.max(0, overlap) / (end - first);
        }
    }

    PlanSeries series() {
        List<PlanSeries.Point> points = new ArrayList<>();
        for (int i = 0; i < filled; i++) {
            double share = Math.min(1, waiting[i] / readersPerBin);
            points.add(new PlanSeries.Point((double) length * (i + 1) / BINS / 1e9, most[i], share, ages[i]));
        }
        return new PlanSeries(points);
    }
}
