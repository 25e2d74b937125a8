package dev.corral.lab.chaos;

import java.time.Duration;
import java.util.Locale;

/**
 * What one fault has shown. All that is allowed has been checked already.
 *
 * @param loads counted by the database, or by Redis where the database is away
 * @param worstWait of callers on nodes that ran, from when the fault struck
 * @param waitAllowed by the promise; the test adds {@link NodeSettings#MACHINE}
 * @param staleAge how long after a write had reached the store a read began that yielded what was before it
 */
record Evidence(
        String fault,
        String promise,
        long loads,
        long loadsAllowed,
        long errors,
        String errorsAllowed,
        Duration worstWait,
        Duration waitAllowed,
        Duration staleAge,
        Duration staleAllowed) {

    /** With that many loads allowed for all keys together. */
    Evidence allowing(long all) {
        return new Evidence(
                fault, promise, loads, all, errors, errorsAllowed, worstWait, waitAllowed, staleAge, staleAllowed);
    }

    String row() {
        return "| "
                + String.join(
                        " | ",
                        fault,
                        promise,
                        loads + " of " + loadsAllowed,
                        errors == 0 ? "0" : errors + ", " + errorsAllowed,
                        text(worstWait) + " of " + text(waitAllowed),
                        staleAge.isZero() ? "0" : text(staleAge) + " of " + text(staleAllowed))
                + " |";
    }

    private static String text(Duration time) {
        return time.toMillis() < 1_000
                ? time.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1_000.0);
    }
}
