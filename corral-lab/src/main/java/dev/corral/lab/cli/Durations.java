package dev.corral.lab.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: 400ms, 1.2s, 2m, 1h. */
final class Durations implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new TypeConversionException("must be a duration such as 400ms, 1.2s, 2m or 1h, got " + text);
        }
        BigDecimal number = new BigDecimal(form.group(1));
        ChronoUnit unit = switch (form.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            default -> ChronoUnit.HOURS;
        };
        return Duration.ofNanos(
                number.multiply(BigDecimal.valueOf(unit.getDuration().toNanos()))
                        .longValue());
    }
}
