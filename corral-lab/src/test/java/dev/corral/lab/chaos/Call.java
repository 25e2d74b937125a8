package dev.corral.lab.chaos;

import java.time.Duration;

/**
 * One read by one caller of a node. Instants are of the machine's monotonic clock, which all processes share on Linux.
 *
 * @param node the process that it was made in
 * @param caller the thread
 * @param version of the row that the value was made from; 0 if there was none
 * @param load the row that its load has written; 0 if there was none
 * @param error what was thrown instead, or nothing
 */
record Call(String node, String caller, String key, long began, long ended, long version, long load, String error) {
    private static final String WORD = "call";
    private static final String END = ".";
    private static final String NONE = "-";

    /** What the node prints of it. */
    static String line(String caller, String key, long began, long ended, String value, String error) {
        String[] parts = value.isEmpty() ? new String[] {"0", "0"} : value.split(" ", 3);
        return String.join(
                " ",
                WORD,
                caller,
                key,
                Long.toString(began),
                Long.toString(ended),
                parts[0],
                parts[1],
                error.isEmpty() ? NONE : error,
                END);
    }

    static boolean isOne(String[] words) {
        return words.length == 9 && words[0].equals(WORD) && words[8].equals(END);
    }

    static Call parse(String node, String[] words) {
        return new Call(
                node,
                words[1],
                words[2],
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]),
                words[7].equals(NONE) ? "" : words[7]);
    }

    boolean failed() {
        return !error.isEmpty();
    }

    Duration waited() {
        return Duration.ofNanos(ended - began);
    }
}
