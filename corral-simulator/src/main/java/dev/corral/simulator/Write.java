package dev.corral.simulator;

import dev.corral.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A put or an invalidation, as its caller sees it. An empty list of keys stands for all of them. */
final class Write implements Row.Origin {
    final int id;
    final String kind;
    final List<String> keys;
    private final Life life;
    private final long began;
    private long ended = Long.MAX_VALUE;
    private long storedAt = -1;
    private @Nullable Delivery delivery;

    Write(int id, Life life, String kind, List<String> keys, long began) {
        this.id = id;
        this.life = life;
        this.kind = kind;
        this.keys = keys;
        this.began = began;
    }

    boolean concerns(String key) {
        return keys.isEmpty() || keys.contains(key);
    }

    void answered(Delivery with, long instant) {
        delivery = with;
        ended = instant;
    }

    /** The store took what was put in at that instant. */
    void stored(long instant) {
        storedAt = instant;
    }

    /** When the store took it in; negative if it has not, or this is no put. */
    long storedAt() {
        return storedAt;
    }

    boolean isApplied() {
        return delivery == Delivery.APPLIED;
    }

    @Override
    public long began() {
        return began;
    }

    @Override
    public long ended() {
        return ended;
    }

    @Override
    public Life life() {
        return life;
    }

    @Override
    public String toString() {
        return kind + " #" + id + " on " + life.name + " " + keys + " " + History.time(began) + ".."
                + (ended == Long.MAX_VALUE ? "" : History.time(ended)) + " " + delivery;
    }
}
