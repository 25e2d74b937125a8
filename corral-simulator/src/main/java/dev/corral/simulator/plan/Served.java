package dev.corral.simulator.plan;

import org.jspecify.annotations.Nullable;

/**
 * Counts what readers got. Those that are not simulated are counted by their expected number: whoever comes while there
 * is an entry is served at once, and a stream of readers sees its age grow evenly.
 */
final class Served {
    final Waits waits = new Waits();
    private final double perNano;
    private final Trace trace;
    private boolean measuring;
    private long since;
    private @Nullable Entry entry;
    private double reads;
    private double unanswered;
    private double ages;
    private long oldest;

    /** @param perNano readers that are not simulated; zero if all are */
    Served(double perNano, Trace trace) {
        this.perNano = perNano;
        this.trace = trace;
    }

    void begin(long now) {
        measuring = true;
        since = now;
    }

    /** The entry that readers get from now on. */
    void replaced(long now, @Nullable Entry next) {
        until(now);
        entry = next;
    }

    /** Counts those who were served from the entry until now. */
    void until(long now) {
        Entry served = entry;
        if (measuring && served != null && perNano > 0) {
            long end = Math.min(now, served.hard());
            if (end > since) {
                long youngest = since - served.writtenAt();
                long latest = end - served.writtenAt();
                double mass = perNano * (end - since);
                reads += mass;
                ages += mass * (youngest + latest) / 2.0;
                oldest = Math.max(oldest, latest);
            }
        }
        since = now;
    }

    /** One reader, or some that came together, were answered now. */
    void answered(double mass, long asked, long now, long age) {
        if (!measuring) {
            return;
        }
        count(mass, age);
        waits.add(mass, now - asked);
        if (now - asked > Waits.NOTICED) {
            trace.waited(mass, asked, asked);
        }
    }

    /** One reader, counted as one of many, is not served from the entry: it waits. */
    void leaves(long now) {
        Entry left = entry;
        if (measuring && left != null) {
            reads--;
            ages -= now - left.writtenAt();
        }
    }

    /** Readers that came evenly spread since then were all answered now. */
    void answeredAllSince(double mass, long first, long now, long age) {
        if (!measuring) {
            return;
        }
        count(mass, age);
        long length = now - first;
        waits.addUntilEndOf(mass, length);
        if (length > Waits.NOTICED) {
            trace.waited(mass * (length - Waits.NOTICED) / length, first, now - Waits.NOTICED);
        }
    }

    private void count(double mass, long age) {
        reads += mass;
        ages += mass * age;
        oldest = Math.max(oldest, age);
    }

    /** Readers that got no value. */
    void unanswered(double mass) {
        if (measuring) {
            reads += mass;
            unanswered += mass;
        }
    }

    double reads() {
        return reads;
    }

    double unansweredShare() {
        return reads == 0 ? 0 : unanswered / reads;
    }

    double meanAge() {
        double answered = reads - unanswered;
        return answered == 0 ? 0 : ages / answered;
    }

    long oldest() {
        return oldest;
    }
}
