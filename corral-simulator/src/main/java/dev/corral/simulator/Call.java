package dev.corral.simulator;

import java.util.List;

/** A read of a caller, from its beginning on. */
final class Call {
    final int id;
    final Life life;
    final String kind;
    final List<String> keys;
    final long began;
    /** Within what time it must be answered, not counting pauses and the loads its own thread runs. */
    final long bound;

    Call(int id, Life life, String kind, List<String> keys, long began, long bound) {
        this.id = id;
        this.life = life;
        this.kind = kind;
        this.keys = keys;
        this.began = began;
        this.bound = bound;
    }

    @Override
    public String toString() {
        return kind + " #" + id + " on " + life.name + " " + keys + " since " + History.time(began);
    }
}
