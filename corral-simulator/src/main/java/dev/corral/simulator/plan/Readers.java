package dev.corral.simulator.plan;

import dev.corral.Strategy.Who;
import dev.corral.simulator.Life;
import dev.corral.simulator.World;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates only reads at which something happens, and lets the real cache do them: the first of a process that finds
 * nothing, and the next to which the policy says yes in a process that could begin a refresh. All others are hits that
 * change nothing, or join those who wait already; they are counted. Poisson streams have no memory, so whenever anything
 * changes the next such read is drawn anew.
 */
final class Readers implements Arrivals {
    /** So many wait already that one more can stand for several: at most a percent of them. */
    private static final int MANY = 100;

    private static final double FAR = 1e18;

    private final World world;
    private final Life life;
    private final Nodes processes;
    private final Served served;
    private final Outlook outlook;
    private final PlanSettings settings;
    private final PlanStrategy strategy;
    private final SplittableRandom random;
    private World.@Nullable Event next;
    private boolean drawing;
    private long waiting;

    Readers(
            World world,
            Life life,
            Nodes processes,
            Served served,
            Outlook outlook,
            PlanSettings settings,
            PlanStrategy strategy) {
        this.world = world;
        this.life = life;
        this.processes = processes;
        this.served = served;
        this.outlook = outlook;
        this.settings = settings;
        this.strategy = strategy;
        this.random = world.random("arrivals");
    }

    @Override
    public void begin() {
        changed();
    }

    /** Draws anew, once for all that changes at this instant. */
    @Override
    public void changed() {
        if (!drawing) {
            drawing = true;
            world.after(life, 1, this::draw);
        }
    }

    private void draw() {
        drawing = false;
        if (next != null) {
            next.cancel();
            next = null;
        }
        long now = world.now();
        double refreshing = settings.perNano() * processes.canRefresh();
        Outlook.Read read = refreshing == 0 ? null : outlook.next(now, refreshing);
        if (read != null) {
            double dice = read.dice();
            next = world.at(life, read.at(), () -> unlessChanged(() -> refresh(dice)));
        } else {
            drawMiss(Math.max(now, outlook.servedUntil()));
        }
    }

    private void drawMiss(long from) {
        double missing = settings.perNano() * processes.canMiss();
        if (missing == 0) {
            return;
        }
        int readers = strategy.everyCallerAsks() ? 1 + (int) (waiting / MANY) : 1;
        long gap = Math.max(1, (long) Math.min(FAR, Draws.untilArrived(readers, random) / missing));
        next = world.at(life, from + gap, () -> unlessChanged(() -> miss(readers)));
    }

    /** What was drawn does not count any more if something has changed at this very instant. */
    private void unlessChanged(Runnable read) {
        next = null;
        if (!drawing) {
            read.run();
        }
    }

    // ---- the reads

    private void refresh(double dice) {
        Node process = processes.refresher();
        if (dice != Outlook.ANY) {
            process.dice.decide(dice);
        }
        if (process.toLearn > 0) {
            process.toLearn--;
            processes.changed(process);
        }
        boolean loadedBefore = process.loading;
        process.cache.getAsync(Node.KEY);
        process.dice.forget();
        if (strategy.foreground() && process.loading && !loadedBefore) {
            process.chosenAt = world.now();
            served.leaves(world.now());
        }
        changed();
    }

    private void miss(int readers) {
        Node process = processes.misser();
        boolean leased = strategy.axes().who() == Who.CLUSTER;
        long asked = world.now();
        waiting += readers;
        process.waiters++;
        process.readers = readers;
        process.copies = leased ? 1 : readers;
        processes.changed(process);
        var answer = process.cache.getAsync(Node.KEY);
        process.copies = 1;
        answer.whenComplete((value, failure) -> answered(process, readers, asked, value));
        changed();
    }

    private void answered(Node process, int readers, long asked, @Nullable Value value) {
        long now = world.now();
        waiting -= readers;
        process.waiters--;
        process.readers = 1;
        processes.changed(process);
        double joined = strategy.everyCallerAsks() ? 0 : settings.perNano() / settings.nodes() * (now - asked);
        if (value == null) {
            served.unanswered(readers + joined);
        } else {
            served.answered(readers, asked, now, value.age(now));
            served.answeredAllSince(joined, asked, now, value.age(now));
        }
        changed();
    }
}
