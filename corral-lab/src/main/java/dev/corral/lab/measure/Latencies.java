package dev.corral.lab.measure;

import dev.corral.lab.load.Sample;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * How long requests took, from when they were meant to leave; failed ones too, since their callers waited as well.
 *
 * @param count how many requests
 * @param p50Ms half took at most this
 * @param p99Ms all but one in a hundred took at most this
 * @param maxMs the longest
 */
public record Latencies(long count, double p50Ms, double p99Ms, double maxMs) {
    private static final long LONGEST_NANOS = 600_000_000_000L;

    /** Of those samples that are wanted. */
    public static Latencies of(List<Sample> samples, Predicate<Sample> wanted) {
        return of(samples.stream().filter(wanted).mapToLong(Sample::latencyNanos));
    }

    /** How late the requests themselves left. */
    public static Latencies lateness(List<Sample> samples) {
        return of(samples.stream().mapToLong(Sample::lateNanos));
    }

    private static Latencies of(LongStream nanos) {
        Histogram histogram = new Histogram(LONGEST_NANOS, 3);
        nanos.forEach(value -> histogram.recordValue(Math.min(LONGEST_NANOS, Math.max(0, value))));
        return new Latencies(
                histogram.getTotalCount(), at(histogram, 50), at(histogram, 99), histogram.getMaxValue() / 1e6);
    }

    private static double at(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e6;
    }
}
