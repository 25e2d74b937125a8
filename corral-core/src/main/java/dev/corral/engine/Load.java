package dev.corral.engine;

import dev.corral.LoadLimiter;
import dev.corral.spi.Delays;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One execution of the user's loader: a permit, a thread, a maximum time. The permit is given back when the loader
 * returns, however late that is and whatever has become of its flight.
 */
final class Load<T> {
    /** The user's code. */
    interface Task<T> {
        @Nullable
        T run() throws Exception;
    }

    /** Hears how it went. Exactly one of rejected, ended and failed is called; overdue may come before the last two. */
    interface End<T> {
        /** The loader is about to run, on this thread. */
        void began();

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
        NEW,
        QUEUED,
        DISPATCHED,
        RUNNING,
        OVERDUE,
        OVER
    }

    private final Engine<?, ?> engine;
    private final LoadContext context;
    private final Task<T> task;
    private final End<T> end;
    private final @Nullable CallerLane lane;
    private final boolean inheritsPermit;
    private final Runnable onExecutor;
    private final LoadLimiter.Waiter waiter = LoadLimiter.waiter(this::permitted);

    private State state = State.NEW;
    private boolean holdsPermit;
    private @Nullable Thread thread;
    private Delays.@Nullable Timer watchdog;

    /**
     * To be made on the thread of the caller that the load is for, whose context it takes over.
     *
     * @param lane the caller's lane if the loader may run there, else it runs on the executor
     */
    Load(Engine<?, ?> engine, Object key, Executor lane, Task<T> task, End<T> end) {
        this.engine = engine;
        this.task = task;
        this.end = end;
        this.lane = lane instanceof CallerLane caller && !engine.settings.loadsOnExecutor() ? caller : null;
        LoadContext outer = this.lane == null ? null : LoadContext.current();
        this.inheritsPermit = this.lane != null && LoadContext.holdsPermitOf(engine.parts.limiter());
        this.context = new LoadContext(engine.name, key, engine.parts.limiter(), outer);
        this.onExecutor = engine.parts.context().apply(this::run);
    }

    /** Asks for a permit; without {@code mayQueue} only a free one will do. */
    void start(boolean mayQueue) {
        LoadLimiter limiter = engine.parts.limiter();
        if (inheritsPermit && lane != null && lane.isOpen()) {
            dispatch();
            return;
        }
        if (!mayQueue) {
            if (limiter.tryAcquire()) {
                permitted();
            } else {
                reject("all " + limiter.permits() + " permits of the load limiter are taken", null);
            }
            return;
        }
        synchronized (this) {
            state = State.QUEUED;
        }
        switch (limiter.acquire(waiter)) {
            case PERMITTED -> permitted();
            case QUEUED -> {}
            case FULL ->
                reject(
                        "all " + limiter.permits() + " permits of the load limiter are taken and its queue is full",
                        null);
        }
    }

    /** Gives up waiting for a permit; false if it is too late for that. */
    boolean withdraw() {
        synchronized (this) {
            if (state != State.QUEUED || !engine.parts.limiter().withdraw(waiter)) {
                return false;
            }
            state = State.OVER;
            return true;
        }
    }

    private void permitted() {
        synchronized (this) {
            holdsPermit = true;
        }
        engine.meters.loadsRunning.increment();
        dispatch();
    }

    private void dispatch() {
        boolean onLane = lane != null && lane.isOpen();
        synchronized (this) {
            state = State.DISPATCHED;
            if (!onLane) {
                watch(); // an executor may drop the task
            }
        }
        if (lane != null && onLane) {
            lane.execute(this::run);
            return;
        }
        try {
            engine.platform.executor().execute(onExecutor);
        } catch (RuntimeException | Error e) { // out of threads is an error
            reject("the executor refused the load", e);
        }
    }

    private void run() {
        synchronized (this) {
            if (state != State.DISPATCHED) {
                return; // overdue before it began: everything has been given back
            }
            state = State.RUNNING;
            thread = Thread.currentThread();
            watch(); // the time counts from here; waiting for a thread is not the loader's fault
        }
        end.began();
        long began = engine.now();
        @Nullable T value = null;
        @Nullable Throwable failure = null;
        LoadContext.enter(context);
        try {
            value = task.run();
        } catch (Throwable e) {
            failure = e;
        } finally {
            LoadContext.leave(context);
        }
        long cost = engine.now() - began;
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
            over(); // last: giving the permit back may begin somebody else's load on this thread
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
            over(); // an executor that dropped the task: nobody else will give the permit back
        }
        end.overdue();
    }

    private void reject(String why, @Nullable Throwable cause) {
        over();
        end.rejected(why, cause);
    }

    private void over() {
        boolean release;
        synchronized (this) {
            state = State.OVER;
            release = holdsPermit;
            holdsPermit = false;
            if (watchdog != null) {
                watchdog.cancel();
            }
        }
        if (release) {
            engine.meters.loadsRunning.decrement();
            engine.parts.limiter().release();
        }
    }
}
