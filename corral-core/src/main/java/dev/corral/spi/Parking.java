package dev.corral.spi;

import java.util.concurrent.locks.LockSupport;

/** How a synchronous caller waits for its next task; virtual time replaces it to run the world meanwhile. */
public interface Parking {
    /** Waits until {@link #unpark} or the time is over; may return early for no reason, as {@link LockSupport} may. */
    void park(Object blocker, long nanos);

    /** Ends the wait of that thread, or its next one. */
    void unpark(Thread thread);

    /** The real thing: {@link LockSupport}. */
    static Parking threads() {
        return new Parking() {
            @Override
            public void park(Object blocker, long nanos) {
                LockSupport.parkNanos(blocker, nanos);
            }

            @Override
            public void unpark(Thread thread) {
                LockSupport.unpark(thread);
            }
        };
    }
}
