package dev.corral.lab.measure;

/**
 * One execution of the trending query, as the database saw it; times in microseconds since 1970 on the driver's clock.
 */
public record QueryRun(long startMicros, long endMicros) {

    /** How long it took. */
    public long micros() {
        return endMicros - startMicros;
    }
}
