package dev.corral.simulator;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One event loop, one clock, one seed. Exactly one thread runs at any time, the one that has the baton. Events due at
 * one instant happen in an order that the seed decides.
 *
 * <p>The loop has no thread of its own, for switching threads is what costs: it runs on a thread that has nothing else
 * on its stack, and so does a coroutine until it waits. Then that thread is the coroutine's, and another goes on with
 * the loop. What happens while a coroutine waits is never inside of its wait.
 */
public final class World {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int AT_ONCE = -1;
    private static final long MOST_EVENTS = 500_000;
    private static final int MANY_CANCELLED = 10_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Deque<Coroutine> idle = new ArrayDeque<>();
    private final Thread owner = Thread.currentThread();
    private final Life eternal = new Life("world");
    private final long seed;
    private final SplittableRandom ties;
    private volatile @Nullable Coroutine baton;
    private final AtomicLong done = new AtomicLong();
    private @Nullable Throwable failure;
    private long now;
    private long until;
    private long numbers;
    private int cancelled;
    private final long mostEvents;

    /** A world for one seed of traffic and faults. */
    World(long seed) {
        this(seed, MOST_EVENTS);
    }

    /**
     * A world in which so much may happen.
     *
     * @param mostEvents more than that, and something goes round in circles
     */
    public World(long seed, long mostEvents) {
        this.seed = seed;
        this.mostEvents = mostEvents;
        this.ties = random("ties");
    }

    /** Something that will happen unless it is cancelled. */
    public final class Event implements Comparable<Event> {
        private final long number;
        private final Life life;
        private final Runnable task;
        private final @Nullable Coroutine resumes;
        private final boolean begins;
        private long at;
        private int tie;
        private boolean isCancelled;

        private Event(
                long at, int tie, long number, Life life, Runnable task, @Nullable Coroutine resumes, boolean begins) {
            this.at = at;
            this.tie = tie;
            this.number = number;
            this.life = life;
            this.task = task;
            this.resumes = resumes;
            this.begins = begins;
        }

        /** It will not happen. */
        public void cancel() {
            if (!isCancelled) {
                isCancelled = true;
                cancelled++;
            }
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            int byTie = byTime != 0 ? byTime : Integer.compare(tie, other.tie);
            return byTie != 0 ? byTie : Long.compare(number, other.number);
        }
    }

    /** Virtual nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** How many events have happened. */
    long done() {
        return done.get();
    }

    /** A stream of dice of its own, so that one more throw here changes nothing there. */
    public SplittableRandom random(String purpose) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + purpose.hashCode());
    }

    // ---- what is to happen

    /** Something that befalls the world, not one of its processes. */
    public Event at(long instant, Runnable task) {
        return at(eternal, instant, task);
    }

    /** Something that befalls one process at that instant, unless it has crashed by then. */
    public Event at(Life life, long instant, Runnable task) {
        return add(instant, ties.nextInt(1 << 20), life, task, null, false);
    }

    /** Something that befalls one process, unless it has crashed by then. */
    public Event after(Life life, long nanos, Runnable task) {
        return at(life, now + Math.max(0, nanos), task);
    }

    /** Something that may take virtual time in the middle. */
    public void begin(Life life, long nanos, Runnable body) {
        add(now + nanos, ties.nextInt(1 << 20), life, body, null, true);
    }

    Event resume(Coroutine coroutine, long nanos) {
        return add(now + nanos, ties.nextInt(1 << 20), coroutine.life(), () -> {}, coroutine, false);
    }

    /** The coroutine's process is dead; it goes on in order to end. */
    void unwind(Coroutine coroutine) {
        add(now, AT_ONCE, eternal, () -> {}, coroutine, false);
    }

    /** What a paused process had to do: now, before anything else, in the old order. */
    void again(Event event) {
        event.at = now;
        event.tie = AT_ONCE;
        events.add(event);
    }

    private Event add(long instant, int tie, Life life, Runnable task, @Nullable Coroutine resumes, boolean begins) {
        Event event = new Event(Math.max(now, instant), tie, numbers++, life, task, resumes, begins);
        if (cancelled > MANY_CANCELLED && cancelled > events.size() / 2) {
            events.removeIf(old -> old.isCancelled); // timers are set for long and cancelled soon
            cancelled = 0;
        }
        events.add(event);
        return event;
    }

    // ---- what happens

    /** Lets that much time pass, with everything that happens in it. Only the thread that made this world calls it. */
    public void pass(long nanos) {
        until = now + nanos;
        hand(spare());
        long seen = done();
        long since = System.nanoTime();
        while (baton != null) {
            LockSupport.parkNanos(this, PATIENCE);
            if (done() != seen) {
                seen = done();
                since = System.nanoTime();
            } else if (baton != null && System.nanoTime() - since > PATIENCE) {
                throw stuck();
            }
        }
        Throwable thrown = failure;
        if (thrown != null) {
            failure = null;
            throw new IllegalStateException("thrown at " + History.time(now), thrown);
        }
    }

    private IllegalStateException stuck() {
        Coroutine thread = baton;
        return new IllegalStateException("nothing happens any more; the thread with the baton is at "
                + (thread == null ? "its end" : Arrays.toString(thread.getStackTrace())));
    }

    /** Runs on a thread with the baton, until the time is over or another thread has the baton. */
    void loop(Coroutine thread) {
        while (true) {
            Event next = failure == null ? events.peek() : null;
            if (next == null || next.at > until) {
                now = Math.max(now, until);
                idle.push(thread);
                baton = null;
                LockSupport.unpark(owner);
                return;
            }
            events.poll();
            now = Math.max(now, next.at);
            Coroutine other = next.resumes;
            if (!happens(next)) {
                continue;
            }
            if (done.incrementAndGet() > mostEvents) {
                failed(new IllegalStateException(
                        "more than " + mostEvents + " events: something goes round in circles"));
            }
            if (other != null) {
                idle.push(thread);
                hand(other);
                return;
            }
            if (next.begins) {
                thread.live(next.life, next.task);
            } else {
                run(next.task);
            }
        }
    }

    private boolean happens(Event event) {
        if (event.isCancelled || event.life.isDead()) {
            return false;
        }
        if (event.life.isPaused(now)) {
            event.life.waits(event);
            return false;
        }
        return true;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** A coroutine or an event ended with something that nobody caught. */
    void failed(Throwable thrown) {
        failure = thrown;
    }

    // ---- the baton

    boolean hasBaton(Coroutine coroutine) {
        return baton == coroutine;
    }

    /** The coroutine that has the baton waits: another thread goes on with the loop. */
    void handOver() {
        hand(spare());
    }

    private void hand(Coroutine to) {
        baton = to;
        LockSupport.unpark(to);
    }

    private Coroutine spare() {
        Coroutine spare = idle.poll();
        return spare == null ? Coroutine.of(this) : spare;
    }

    /** No more of this world. Its threads serve others. */
    public void end() {
        idle.forEach(Coroutine::free);
        idle.clear();
    }
}
