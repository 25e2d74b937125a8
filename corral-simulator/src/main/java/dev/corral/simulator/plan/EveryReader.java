package dev.corral.simulator.plan;

import dev.corral.simulator.Life;
import dev.corral.simulator.World;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Simulates each read: what the aggregated readers are held against. */
final class EveryReader implements Arrivals {
    private final World world;
    private final Life life;
    private final Nodes processes;
    private final Served served;
    private final double perNano;
    private final boolean foreground;
    private final SplittableRandom random;

    EveryReader(World world, Life life, Nodes processes, Served served, PlanSettings settings, PlanStrategy strategy) {
        this.world = world;
        this.life = life;
        this.processes = processes;
        this.served = served;
        this.perNano = settings.perNano();
        this.foreground = strategy.foreground();
        this.random = world.random("arrivals");
    }

    @Override
    public void begin() {
        long gap = Math.max(1, (long) (Draws.exponential(random) / perNano));
        world.after(life, gap, () -> {
            read(processes.any());
            begin();
        });
    }

    @Override
    public void changed() {}

    private void read(Node process) {
        long asked = world.now();
        boolean loadedBefore = process.loading;
        var answer = process.cache.getAsync(Node.KEY);
        process.waiters++;
        processes.changed(process);
        boolean chosen = foreground && process.loading && !loadedBefore;
        answer.whenComplete((value, failure) -> {
            process.waiters--;
            processes.changed(process);
            answered(process, asked, chosen, value);
        });
    }

    private void answered(Node process, long asked, boolean chosen, @Nullable Value value) {
        long now = world.now();
        if (value == null) {
            served.unanswered(1);
        } else if (chosen && now == asked) {
            process.chosenAt = asked; // it could go on, but waits for the refresh that it has begun
        } else {
            served.answered(1, asked, now, value.age(now));
        }
    }
}
