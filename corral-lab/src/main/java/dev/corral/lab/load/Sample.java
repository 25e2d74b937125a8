package dev.corral.lab.load;

/**
 * One request, as its caller saw it.
 *
 * @param intendedMicros when it was meant to leave, in microseconds since 1970
 * @param lateNanos how much later it really left
 * @param latencyNanos from the intended time to the end of the answer
 * @param ok whether the answer was good
 */
public record Sample(Endpoint endpoint, long intendedMicros, long lateNanos, long latencyNanos, boolean ok) {}
