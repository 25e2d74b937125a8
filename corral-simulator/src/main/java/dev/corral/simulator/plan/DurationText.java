package dev.corral.simulator.plan;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 400ms, 1.2s, 2m, 1h. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h)");

    private DurationText() {}

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is something else: "must be a duration such as 400ms, 1.2s, 2m or 1h, got …"
     */
    public static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("must be a duration such as 400ms, 1.2s, 2m or 1h, got " + text);
        }
        ChronoUnit unit = switch (form.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            default -> ChronoUnit.HOURS;
        };
        BigDecimal nanosOfOne = BigDecimal.valueOf(unit.getDuration().toNanos());
        return Duration.ofNanos(
                new BigDecimal(form.group(1)).multiply(nanosOfOne).longValue());
    }
}
