package dev.corral.lab.report;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Numbers as people read them. */
final class Numbers {
    private Numbers() {}

    /** Milliseconds, or seconds from one second on. */
    static String time(double ms) {
        if (ms >= 1_000) {
            return String.format(Locale.ROOT, "%.1f s", ms / 1_000);
        }
        return String.format(Locale.ROOT, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }

    /** "1" where all are one, "38 to 44" where they differ, "none" where there are none. */
    static String range(List<Integer> numbers) {
        if (numbers.isEmpty()) {
            return "none";
        }
        TreeSet<Integer> sorted = new TreeSet<>(numbers);
        return sorted.size() == 1 ? sorted.first().toString() : sorted.first() + " to " + sorted.last();
    }

    static double ms(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
