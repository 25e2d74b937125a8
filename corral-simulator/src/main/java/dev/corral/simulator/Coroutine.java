package dev.corral.simulator;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a world, which runs only while it has the baton: it goes on with the loop, or with a synchronous caller or
 * a loader, which may take virtual time in the middle. The engine keeps what it knows of a loader in a thread-local, so
 * each has a thread while it lives.
 *
 * <p>An interruption of a waiting coroutine is an event like any other: the real flag is set only once it runs again, for
 * else the real thread would wake by itself.
 */
final class Coroutine extends Thread {
    static final long FOREVER = Long.MAX_VALUE / 4;
    private static final ConcurrentLinkedDeque<Coroutine> POOL = new ConcurrentLinkedDeque<>();

    private volatile @Nullable World world;
    private @Nullable Life life;
    private World.@Nullable Event wake;
    private boolean waiting;
    private boolean permit;
    private boolean interruptedMeanwhile;
    /** Virtual time spent inside loaders in this life. */
    long loading;
    /** What it does now, to whoever wants to interrupt just that. */
    @Nullable
    Object now;
    /** How many loaders it is inside of. */
    int depth;

    private Coroutine() {
        super("coroutine");
        setDaemon(true);
    }

    static Coroutine of(World world) {
        Coroutine pooled = POOL.poll();
        Coroutine thread = pooled == null ? new Coroutine() : pooled;
        thread.world = world;
        if (pooled == null) {
            thread.start();
        }
        return thread;
    }

    void free() {
        world = null;
        POOL.push(this);
    }

    /** The one that runs. */
    static Coroutine current() {
        return (Coroutine) Thread.currentThread();
    }

    @Override
    public void run() {
        while (true) {
            awaitTurn().loop(this);
        }
    }

    /** Runs the body on this thread, with nothing of the world's on its mind. */
    void live(Life of, Runnable body) {
        life = of;
        permit = false;
        interruptedMeanwhile = false;
        loading = 0;
        depth = 0;
        now = null;
        of.coroutines.add(this);
        try {
            body.run();
        } catch (Vanished e) {
            // its process has crashed
        } catch (Throwable e) {
            world().failed(e);
        }
        Thread.interrupted();
        of.coroutines.remove(this);
        now = null;
        life = null;
    }

    private World awaitTurn() {
        World mine = world;
        while (mine == null || !mine.hasBaton(this)) {
            LockSupport.park(this);
            mine = world;
        }
        return mine;
    }

    /** As {@link LockSupport#parkNanos}, in virtual time. */
    void park(long nanos) {
        refuseDead();
        if (permit || isInterrupted()) {
            permit = false;
            return;
        }
        pause(nanos);
        permit = false;
    }

    /** Ends the wait soon, or the next one. */
    void unpark(long soon) {
        permit = true;
        wake(soon);
    }

    /** Waits until woken, at most that long. */
    void pause(long nanos) {
        refuseDead();
        World mine = world();
        interruptedMeanwhile = Thread.interrupted(); // with the flag set the real thread could not wait
        wake = nanos >= FOREVER ? null : mine.resume(this, nanos);
        waiting = true;
        mine.handOver();
        awaitTurn();
        waiting = false;
        wake = null;
        refuseDead();
        if (interruptedMeanwhile) {
            interruptedMeanwhile = false;
            super.interrupt();
        }
    }

    void wake(long soon) {
        if (waiting) {
            cancelWake();
            wake = world().resume(this, soon);
        }
    }

    /** Its process has crashed: it goes on once more, to end. */
    void unwind() {
        cancelWake();
        world().unwind(this);
    }

    private void cancelWake() {
        if (wake != null) {
            wake.cancel();
        }
    }

    @Override
    public void interrupt() {
        if (waiting) {
            interruptedMeanwhile = true;
            wake(0);
        } else {
            super.interrupt();
        }
    }

    private void refuseDead() {
        if (life().isDead()) {
            throw new Vanished();
        }
    }

    private World world() {
        World mine = world;
        if (mine == null) {
            throw new IllegalStateException("this thread is of no world");
        }
        return mine;
    }

    Life life() {
        Life mine = life;
        if (mine == null) {
            throw new IllegalStateException("this thread is nobody's");
        }
        return mine;
    }
}
