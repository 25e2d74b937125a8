package dev.corral.simulator;

import dev.corral.CacheClosedException;
import dev.corral.LoadFailedException;
import dev.corral.LoadRejectedException;
import dev.corral.LoadTimeoutException;
import dev.corral.Outcome;
import dev.corral.PendingException;
import dev.corral.Source;
import dev.corral.WaitInterruptedException;
import dev.corral.WaitTimeoutException;
import dev.corral.spi.StoreException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the answers of reads: not resurrected, not too old, in time, and no error that nothing explains. */
final class Reads {
    private static final long MILLISECOND = 1_000_000;
    private static final long SLACK = 1_000 * MILLISECOND;

    private final World world;
    private final History history;
    private final Scenario scenario;
    private final Set<Call> open = new LinkedHashSet<>();

    Reads(World world, History history) {
        this.world = world;
        this.history = history;
        this.scenario = history.scenario;
    }

    Call begins(Node node, String kind, List<String> keys, Duration patience) {
        long hops = scenario.has(Fault.SLOW_EXECUTOR) ? 3 * SLACK : SLACK;
        long bound = Math.max(patience.toNanos(), scenario.storeTimeout().toNanos()) + hops;
        Call call = new Call(history.number(), node.life, kind, keys, world.now(), bound);
        open.add(call);
        history.tell(() -> "CALL  " + call);
        return call;
    }

    /** Calls of living processes that have no answer. */
    List<Call> open() {
        return open.stream().filter(call -> !call.life.isDead()).toList();
    }

    /** @param loading how long the caller's own thread was inside loaders */
    void ends(Call call, long loading) {
        open.remove(call);
        long took = world.now() - call.began;
        long allowed = call.bound
                + (loading > 0 ? loading + scenario.storeTimeout().toNanos() : 0)
                + history.disturbances.paused(call.life, call.began, world.now());
        history.check(
                Invariant.ANSWERED_IN_TIME,
                took <= allowed,
                () -> call + " took " + History.time(took) + " s, allowed were " + History.time(allowed));
    }

    void failed(Call call, Throwable failure, long loading) {
        ends(call, loading);
        history.tell(() -> "ERROR " + call + ": " + failure);
        history.check(Invariant.EXPLAINED_ERROR, isExplained(failure), () -> call + " failed: " + failure);
    }

    private boolean isExplained(Throwable failure) {
        boolean databaseFails = scenario.has(Fault.DATABASE_FAILS) || scenario.has(Fault.DATABASE_DOWN);
        boolean interrupted = scenario.has(Fault.INTERRUPTED_CALLERS);
        if (failure instanceof StoreException || failure instanceof CacheClosedException) {
            return false;
        }
        if (failure instanceof LoaderFailure) {
            return databaseFails;
        }
        if (failure instanceof LoadFailedException) {
            return databaseFails || interrupted || history.anyOverdue();
        }
        if (failure instanceof WaitInterruptedException) {
            // A loader whose own read was overdue throws the interruption on as if it were its caller's.
            return interrupted || (scenario.nestedLoads() && history.anyOverdue());
        }
        return failure instanceof WaitTimeoutException
                || failure instanceof LoadTimeoutException
                || failure instanceof LoadRejectedException
                || failure instanceof PendingException;
    }

    /**
     * A row was answered.
     *
     * @param source where it came from, null if the call does not say
     * @param outcome how good it is, null if the call does not say
     */
    void served(Call call, @Nullable Row row, @Nullable Source source, @Nullable Outcome outcome) {
        if (row == null) {
            return;
        }
        history.tell(() -> "READ  " + call + ": " + row + " from " + source + " " + outcome);
        for (Write write : history.writes(row.key())) {
            history.check(
                    Invariant.NO_RESURRECTION,
                    mayHave(call, row, source, write),
                    () -> call + " got " + row + " from " + source + " after " + write);
        }
        checkAge(call, row, source, outcome);
    }

    private boolean mayHave(Call call, Row row, @Nullable Source source, Write write) {
        boolean here = write.life() == call.life;
        boolean overBefore = write.ended() < call.began && (here || write.isApplied());
        if (!overBefore || !isOlder(row, write)) {
            return true;
        }
        if (here) {
            return false;
        }
        boolean mayBeNear = scenario.near() != null && (source == null || source == Source.NEAR);
        boolean nearInTime = mayBeNear
                && call.began <= write.ended() + nearTime()
                && !history.knew(call.life, row.key(), write, call.began);
        return nearInTime || isOfOutage(call, row) || history.mayBeForgotten(write);
    }

    /** A node that cannot reach the store shares its loads all the same, and cannot know what others have written. */
    private boolean isOfOutage(Call call, Row row) {
        return row.origin() instanceof Load load
                && !load.showedLease()
                && load.life() == call.life
                && call.began <= load.ended() + nearTime();
    }

    /** True if the row's load began before the write, or its put was over before. */
    static boolean isOlder(Row row, Write write) {
        Row.Origin origin = row.origin();
        return origin != write
                && (origin instanceof Write ? origin.ended() < write.began() : origin.began() < write.began());
    }

    private long nearTime() {
        Duration near = scenario.near();
        return near == null ? 0 : withError(near.toNanos());
    }

    /** Clocks run apart, and the store's counts in milliseconds. */
    private static long withError(long nanos) {
        return nanos + (long) (nanos * 4 * Estimate.DRIFT) + 3 * MILLISECOND;
    }

    private void checkAge(Call call, Row row, @Nullable Source source, @Nullable Outcome outcome) {
        long since = Math.max(history.storedAt(row), row.origin().ended());
        if (since == Long.MAX_VALUE) {
            return; // still being put
        }
        long limit = scenario.ttl().toNanos()
                + (outcome == Outcome.FRESH ? 0 : scenario.staleWindow().toNanos());
        history.check(
                Invariant.TIME_TO_LIVE,
                call.began <= since + withError(limit),
                () -> call + " got " + row + " as " + outcome + ", which was kept since " + History.time(since));
        history.check(
                Invariant.TIME_TO_LIVE,
                source != Source.LOAD || row.origin().ended() >= call.began,
                () -> call + " got " + row + " from a load that was over before");
    }
}
