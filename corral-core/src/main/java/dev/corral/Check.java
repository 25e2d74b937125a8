package dev.corral;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says which option is wrong, why, and what it got. */
final class Check {
    private Check() {}

    static void that(boolean holds, String option, String rule, @Nullable Object got) {
        if (!holds) {
            throw new IllegalArgumentException(option + " " + rule + ", got " + got);
        }
    }

    static void positive(String option, Duration got) {
        that(got.compareTo(Duration.ZERO) > 0, option, "must be positive", got);
        sane(option, got);
    }

    static void notNegative(String option, Duration got) {
        that(!got.isNegative(), option, "must not be negative", got);
        sane(option, got);
    }

    static void atLeast(String option, Duration got, Duration least) {
        that(got.compareTo(least) >= 0, option, "must be at least " + least, got);
        sane(option, got);
    }

    static void name(String got) {
        boolean plain = !got.isEmpty()
                && got.length() <= 200
                && got.chars().allMatch(c -> c > ' ' && c < 127 && c != '{' && c != '}' && c != ':');
        that(plain, "name", "must be 1 to 200 printable ASCII characters without spaces, colons and braces", got);
    }

    /** Ten years fit into a long of nanoseconds with room for sums. */
    private static void sane(String option, Duration got) {
        that(got.compareTo(Duration.ofDays(3653)) <= 0, option, "must not be above ten years", got);
    }
}
