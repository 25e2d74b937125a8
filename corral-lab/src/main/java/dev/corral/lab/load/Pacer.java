package dev.corral.lab.load;

import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Lets requests leave on schedule. One that is late leaves at once, and keeps its intended time: the schedule is never
 * moved, so that a stall of the system under test, or of ours, shows in the latencies instead of thinning out the load.
 */
final class Pacer {
    private final Schedule schedule;
    private final LongSupplier clock;
    private final LongConsumer sleep;

    /**
     * A pacer.
     *
     * @param clock the current nanoseconds
     * @param sleep sleeps for about this many nanoseconds
     */
    Pacer(Schedule schedule, LongSupplier clock, LongConsumer sleep) {
        this.schedule = schedule;
        this.clock = clock;
        this.sleep = sleep;
    }

    /** Calls {@code send} with each intended time, when it has come, until told to stop. */
    void run(BooleanSupplier stopped, LongConsumer send) {
        for (long index = 0; !stopped.getAsBoolean(); index++) {
            long intended = schedule.intendedNanos(index);
            long early = intended - clock.getAsLong();
            while (early > 0 && !stopped.getAsBoolean()) {
                sleep.accept(early);
                early = intended - clock.getAsLong();
            }
            if (early <= 0) {
                send.accept(intended);
            }
        }
    }
}
