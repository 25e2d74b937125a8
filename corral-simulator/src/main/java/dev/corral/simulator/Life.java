package dev.corral.simulator;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One incarnation of a process: what it has still to do waits while it is paused and vanishes when it dies. */
public final class Life {
    final String name;
    final Set<Coroutine> coroutines = new LinkedHashSet<>();
    private final List<World.Event> waiting = new ArrayList<>();
    private boolean dead;
    private long pausedUntil;
    int timers;

    /** A process of that name, alive. */
    public Life(String name) {
        this.name = name;
    }

    boolean isDead() {
        return dead;
    }

    boolean isPaused(long now) {
        return pausedUntil > now;
    }

    void waits(World.Event event) {
        waiting.add(event);
    }

    /** Nothing of this process happens for that long; then all of it, in the order in which it was due. */
    void pause(World world, long nanos) {
        pausedUntil = Math.max(pausedUntil, world.now() + nanos);
        world.at(pausedUntil, () -> goOn(world));
    }

    private void goOn(World world) {
        if (dead || isPaused(world.now())) {
            return;
        }
        List<World.Event> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(world::again);
    }

    /** The process dies here and now. */
    public void crash(World world) {
        dead = true;
        waiting.clear();
        List.copyOf(coroutines).forEach(Coroutine::unwind);
    }
}
