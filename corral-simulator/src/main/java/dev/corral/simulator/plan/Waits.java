package dev.corral.simulator.plan;

/** How long readers waited, as masses: readers that are not simulated one by one count by their expected number. */
final class Waits {
    /** From here on somebody waited; below it is what a busy machine does. */
    static final long NOTICED = 10_000_000;

    private static final double SHORTEST = 1e6;
    private static final int PER_DECADE = 200;
    private static final int BUCKETS = 8 * PER_DECADE;

    private final double[] masses = new double[BUCKETS];
    private double noticed;

    /** That many readers waited so long. */
    void add(double mass, long nanos) {
        masses[bucket(nanos)] += mass;
        if (nanos > NOTICED) {
            noticed += mass;
        }
    }

    /** That many readers came evenly spread over that time, and all waited until its end. */
    void addUntilEndOf(double mass, long nanos) {
        if (nanos <= 0) {
            add(mass, 0);
            return;
        }
        double before = 0;
        for (int i = 0; before < nanos; i++) {
            double end = i == BUCKETS - 1 ? (double) nanos : Math.min((double) nanos, edge(i + 1));
            masses[i] += mass * (end - before) / nanos;
            before = end;
        }
        noticed += mass * Math.max(0, nanos - NOTICED) / nanos;
    }

    private static int bucket(long nanos) {
        return nanos < SHORTEST ? 0 : Math.min(BUCKETS - 1, (int) (Math.log10(nanos / SHORTEST) * PER_DECADE));
    }

    /** Where the bucket begins. */
    private static double edge(int bucket) {
        return bucket == 0 ? 0 : SHORTEST * Math.pow(10, (double) bucket / PER_DECADE);
    }

    /** Readers that noticed they had to wait. */
    double noticed() {
        return noticed;
    }

    /** How long all but that share of the readers waited at most, in milliseconds; most did not wait at all. */
    double percentile(double share, double readers) {
        double longer = readers * (1 - share);
        double sum = 0;
        for (int i = BUCKETS - 1; i > 0; i--) {
            sum += masses[i];
            if (sum > longer) {
                return Math.sqrt(edge(i) * edge(i + 1)) / 1e6;
            }
        }
        return 0;
    }
}
