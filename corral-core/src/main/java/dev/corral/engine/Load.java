package dev.corral.engine;

import dev.corral.spi.Delays;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One execution of the user's loader: a permit, a thread, a maximum time. The permit is given back when the loader
 * returns, however late that is and whatever has become of its flight.
 */
final class Load<T> implements Permits.Waiter {
    /** The user's code. */
    interface Task<T> {
        @Nullable
        T run() throws Exception;
    }

    /**
     * Hears how it goes: rejected, or ended, or failed, at most one of them and at most once. A load that is overdue says
     * so first, and nothing more if its loader never began.
     */
    interface End<T> {
        /**
         * There is a permit.
         *
         * @param waited true if it was long in coming, perhaps
         * @return true to go on; false to have the load wait with its permit for another start or for its giving up
         */
        boolean permitted(boolean waited);

        /** The loader is about to run, on this thread. */
        void began(boolean onCallersThread);

        /** No permit, no place in the queue or no thread: the loader will not run. */
        void rejected(String why, @Nullable Throwable cause);

        /** The maximum time is over; the loader, if it has begun, was interrupted. */
        void overdue();

        /** The loader has returned, on this thread. */
        void ended(@Nullable T value, long costNanos);

        /** The loader has thrown, on this thread. */
        void failed(Throwable cause, long costNanos);
    }

    private enum State {
        IDLE,
        QUEUED,
        DISPATCHED,
        RUNNING,
        OVERDUE,
        OVER
    }

    private final Engine<?, ?> engine;
    private final Permits permits;
    private final Supplier<? extends Set<?>> keys;
    private final Task<T> task;
    private final End<T> end;
    private final @Nullable CallerLane lane;
    private final @Nullable LoadContext outer;
    private final boolean inheritsPermit;
    private final Runnable withContext;

    private State state = State.IDLE;
    private boolean holdsPermit;
    private @Nullable Thread thread;
    private Delays.@Nullable Timer watchdog;

    /**
     * To be made on the thread of the caller that the load is for, whose context the executor's thread takes over.
     *
     * @param keys what it loads, asked for when it begins
     * @param lane the caller's lane if the loader may run there, else it runs on the executor
     */
    Load(Engine<?, ?> engine, Supplier<? extends Set<?>> keys, @Nullable CallerLane lane, Task<T> task, End<T> end) {
        this.engine = engine;
        this.permits = engine.parts.permits();
        this.keys = keys;
        this.task = task;
        this.end = end;
        this.lane = lane;
        this.outer = lane == null ? null : lane.context();
        this.inheritsPermit = outer != null && outer.holdsOneOf(permits);
        this.withContext = engine.parts.context().apply(() -> run(false));
    }

    /** Goes on with the permit it has, or asks for one; without {@code mayQueue} only a free one will do. */
    void start(boolean mayQueue) {
        if (holdsPermit() || (inheritsPermit && lane != null && lane.isOpen())) {
            goOn(false);
        } else if (takesPermit(mayQueue)) {
            hold();
            goOn(false);
        }
    }

    /** Leaves the queue; false if it is not in it any more. May be started again. */
    synchronized boolean withdraw() {
        if (state != State.QUEUED || !permits.withdraw(this)) {
            return false;
        }
        state = State.IDLE;
        return true;
    }

    /** True if it waits for a permit. */
    synchronized boolean isQueued() {
        return state == State.QUEUED;
    }

    /** Gives a permit back that it waited with. May be started again. */
    void giveUp() {
        release(State.IDLE);
    }

    private boolean takesPermit(boolean mayQueue) {
        synchronized (this) {
            state = State.QUEUED;
        }
        Permits.Answer answer = mayQueue
                ? permits.acquire(this)
                : permits.tryAcquire() ? Permits.Answer.PERMITTED : Permits.Answer.FULL;
        if (answer == Permits.Answer.FULL) {
            reject(
                    "all " + permits.count + " permits of the load limiter are taken"
                            + (mayQueue ? " and its queue is full" : ""),
                    null);
        }
        return answer == Permits.Answer.PERMITTED;
    }

    /** Goes on elsewhere: whoever gave the permit back has a caller to answer, and the loader may run on the spot. */
    @Override
    public void permitted() {
        hold();
        engine.platform.continuations().execute(() -> goOn(true));
    }

    private void hold() {
        synchronized (this) {
            holdsPermit = true;
            state = State.IDLE;
        }
        engine.meters.loadsRunning.increment();
    }

    private void goOn(boolean waited) {
        try {
            if (end.permitted(waited)) {
                dispatch();
            }
        } catch (RuntimeException | Error e) { // whoever gave the permit back is not to blame
            reject("the load could not begin", e);
        }
    }

    private void dispatch() {
        synchronized (this) {
            state = State.DISPATCHED;
        }
        if (lane == null || !offeredTo(lane)) {
            toExecutor();
        }
    }

    /** Under the permit of its caller's loader it runs there or nowhere, one after the other. */
    private boolean offeredTo(CallerLane caller) {
        Runnable loader = () -> run(true);
        return holdsPermit() ? caller.offer(loader, this::toExecutor) : caller.offerInTurn(loader, this::toExecutor);
    }

    private void toExecutor() {
        if (!holdsPermit() && !takesPermit(true)) {
            return; // the caller whose permit it was to run under has gone
        }
        if (!holdsPermit()) {
            hold();
        }
        synchronized (this) {
            state = State.DISPATCHED;
            watch(); // an executor may drop the task
        }
        try {
            engine.platform.executor().execute(withContext);
        } catch (RuntimeException | Error e) { // out of threads is an error
            reject("the executor refused the load", e);
        }
    }

    private void run(boolean onCallersThread) {
        synchronized (this) {
            if (state != State.DISPATCHED) {
                return; // overdue before it began: everything has been given back
            }
            state = State.RUNNING;
            thread = Thread.currentThread();
            watch(); // the time counts from here; waiting for a thread is not the loader's fault
        }
        end.began(onCallersThread);
        long began = engine.now();
        @Nullable T value = null;
        @Nullable Throwable failure = null;
        LoadContext inside = new LoadContext(engine.name, keys.get(), permits, onCallersThread ? outer : null);
        LoadContext before = LoadContext.enter(inside);
        try {
            value = task.run();
        } catch (Throwable e) {
            failure = e;
        } finally {
            LoadContext.enter(before);
        }
        returned(value, failure, engine.now() - began);
    }

    private void returned(@Nullable T value, @Nullable Throwable failure, long cost) {
        boolean interruptedByUs;
        synchronized (this) {
            interruptedByUs = state == State.OVERDUE;
            thread = null;
            state = State.OVER; // from here on the watchdog has nothing to say
        }
        if (interruptedByUs) {
            Thread.interrupted(); // ours; the thread's owner has done nothing to deserve it
        }
        engine.meters.loadNanos.add(cost);
        try {
            if (failure == null) {
                engine.meters.loads.increment();
                end.ended(value, cost);
            } else {
                engine.meters.loadFailures.increment();
                end.failed(failure, cost);
            }
        } finally {
            release(State.OVER); // last: giving the permit back may begin somebody else's load on this thread
        }
    }

    /** To be called with the monitor held. */
    private void watch() {
        if (watchdog != null) {
            watchdog.cancel();
        }
        watchdog =
                engine.platform.delays().after(engine.settings.maximumLoadTime().toNanos(), this::timeOver);
    }

    private void timeOver() {
        boolean begun;
        synchronized (this) {
            if (state != State.DISPATCHED && state != State.RUNNING) {
                return;
            }
            begun = state == State.RUNNING;
            state = begun ? State.OVERDUE : State.OVER;
            if (thread != null) {
                thread.interrupt();
            }
        }
        engine.meters.loadsOverdue.increment();
        if (!begun) {
            release(State.OVER); // an executor that dropped the task: nobody else will give the permit back
        }
        end.overdue();
    }

    private void reject(String why, @Nullable Throwable cause) {
        release(State.OVER);
        end.rejected(why, cause);
    }

    private void release(State next) {
        boolean held;
        synchronized (this) {
            state = next;
            held = holdsPermit;
            holdsPermit = false;
            if (watchdog != null) {
                watchdog.cancel();
            }
        }
        if (held) {
            engine.meters.loadsRunning.decrement();
            permits.release();
        }
    }

    private synchronized boolean holdsPermit() {
        return holdsPermit;
    }
}
