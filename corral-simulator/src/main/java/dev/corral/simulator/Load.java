package dev.corral.simulator;

import java.util.Set;

/** One execution of the loader. */
final class Load implements Row.Origin {
    final int id;
    final Set<String> keys;
    /** True if its lease was granted; else it runs without. */
    final boolean granted;
    /** When the lease was asked for. */
    final long askedAt;
    /** True if it runs inside another loader. */
    final boolean nested;

    private final Life life;
    private final long began;
    private long ended = Long.MAX_VALUE;
    private boolean overdue;
    private boolean showedLease;

    Load(int id, Life life, Set<String> keys, boolean granted, long askedAt, boolean nested, long began) {
        this.id = id;
        this.life = life;
        this.keys = keys;
        this.granted = granted;
        this.askedAt = askedAt;
        this.nested = nested;
        this.began = began;
    }

    @Override
    public long began() {
        return began;
    }

    @Override
    public long ended() {
        return ended;
    }

    void endsAt(long instant) {
        ended = instant;
    }

    /** Its protection is over: another may begin. */
    void isOverdue() {
        overdue = true;
    }

    boolean wasOverdue() {
        return overdue;
    }

    /** Its value, or its failure, was sent to the store with a grant; that of a load of outage mode never is. */
    void showsLease() {
        showedLease = true;
    }

    boolean showedLease() {
        return showedLease;
    }

    /** As far as is known: one that never ends is taken at what it seemed to have. */
    boolean hadLease() {
        return showedLease || (granted && ended == Long.MAX_VALUE);
    }

    @Override
    public Life life() {
        return life;
    }

    @Override
    public String toString() {
        return "load #" + id + " on " + life.name + " " + keys + (granted ? "" : " without lease")
                + (nested ? " nested" : "") + " since " + History.time(began);
    }
}
