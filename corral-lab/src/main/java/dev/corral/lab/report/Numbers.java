package dev.corral.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
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

    /** Also where it is far below one in a hundred, and none as zero. */
    static String smallPercent(double share) {
        double percent = share * 100;
        return percent == 0 || percent >= 0.1 ? percent(share) : significant(percent, 2) + " %";
    }

    private static String significant(double number, int digits) {
        return new BigDecimal(number)
                .round(new MathContext(digits))
                .stripTrailingZeros()
                .toPlainString();
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A mean of counts: as many digits as can matter. */
    static String mean(double number) {
        return String.format(Locale.ROOT, number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : "%.2f", number);
    }

    static String length(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT).replaceAll("([hms])(?=.)", "$1 ");
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
