package dev.corral.lab;

import java.util.Locale;

/** The four strategies that race. */
public enum RaceStrategy {
    /** On expiry everybody loads. */
    NAIVE,
    /** On expiry one in the cluster loads, the others wait. */
    MUTEX,
    /** One in the cluster reloads before expiry, in the background. */
    EARLY,
    /** A background job reloads on a schedule. */
    EXTERNAL;

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a new value comes while the old one is still served, so that no expiry ever happens. */
    public boolean refreshesAhead() {
        return this == EARLY || this == EXTERNAL;
    }
}
