package dev.corral.simulator.plan;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A strategy's options as they are written: {@code name:option=value,option=value}. */
record PlanOptions(String text, String name, Map<String, String> unused) {
    static final String NAMES = "naive, mutex, early, external, xfetch, simple, adaptive, stale";

    static PlanOptions of(String text) {
        String[] parts = text.split(":", 2);
        Map<String, String> options = new LinkedHashMap<>();
        if (parts.length == 2) {
            for (String option : parts[1].split(",", -1)) {
                String[] pair = option.split("=", -1);
                if (pair.length != 2 || options.put(pair[0], pair[1]) != null) {
                    throw new IllegalArgumentException(
                            "must be NAME or NAME:OPTION=VALUE,… with each option once, got " + text);
                }
            }
        }
        return new PlanOptions(text, parts[0], options);
    }

    boolean isOn(String option, boolean otherwise) {
        String value = unused.remove(option);
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default -> throw wrong(option, "on or off", value);
        };
    }

    /** A positive number; one if it is not given. */
    double number(String option) {
        String value = unused.remove(option);
        if (value == null) {
            return 1;
        }
        if (!value.matches("\\d{1,6}(\\.\\d{1,6})?") || Double.parseDouble(value) == 0) {
            throw wrong(option, "a positive number", value);
        }
        return Double.parseDouble(value);
    }

    @Nullable
    Duration time(String option) {
        String value = unused.remove(option);
        if (value == null) {
            return null;
        }
        Duration time;
        try {
            time = DurationText.parse(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("option " + option + " of " + name + " " + e.getMessage(), e);
        }
        if (time.isZero()) {
            throw wrong(option, "above zero", value);
        }
        return time;
    }

    void requireAllUsed() {
        unused.keySet().stream().findFirst().ifPresent(option -> {
            throw new IllegalArgumentException(name + " has no option " + option + ", got " + text);
        });
    }

    private IllegalArgumentException wrong(String option, String rule, String value) {
        return new IllegalArgumentException("option " + option + " of " + name + " must be " + rule + ", got " + value);
    }
}
