package dev.corral.simulator.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * How much the database can take.
 *
 * @param cores how many queries run at full speed at once; more share them evenly
 * @param connections how many queries run at all; more wait for one, first come first served
 */
public record DatabaseSize(int cores, int connections) {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    /** Each query takes its time, however many there are. */
    public static DatabaseSize unlimited() {
        return new DatabaseSize(UNLIMITED, UNLIMITED);
    }

    /** Checks both. */
    public DatabaseSize {
        if (cores < 1 || connections < 1) {
            throw new IllegalArgumentException(
                    "cores and connections must be at least 1, got " + cores + " and " + connections);
        }
    }

    /** True if queries do not slow each other down. */
    public boolean isUnlimited() {
        return cores == UNLIMITED;
    }

    /**
     * Reads {@code unlimited}, {@code cores=2} or {@code cores=2,connections=10}.
     *
     * @throws IllegalArgumentException if it is none of these; the message says what it got
     */
    public static DatabaseSize parse(String text) {
        if (text.equals("unlimited")) {
            return unlimited();
        }
        Map<String, Integer> numbers = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            boolean known = pair[0].equals("cores") || pair[0].equals("connections");
            boolean isNumber = pair.length == 2 && pair[1].matches("[1-9]\\d{0,5}");
            if (!known || !isNumber || numbers.put(pair[0], Integer.parseInt(pair[1])) != null) {
                throw wrong(text);
            }
        }
        Integer cores = numbers.get("cores");
        if (cores == null) {
            throw wrong(text);
        }
        return new DatabaseSize(cores, numbers.getOrDefault("connections", UNLIMITED));
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "must be unlimited, cores=NUMBER or cores=NUMBER,connections=NUMBER, got " + text);
    }

    @Override
    public String toString() {
        if (isUnlimited()) {
            return "unlimited";
        }
        return "cores=" + cores + (connections == UNLIMITED ? "" : ",connections=" + connections);
    }
}
