package dev.corral.simulator;

import dev.corral.spi.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What has happened in a run, as far as a promise may ask for it, and what was found broken. */
final class History {
    private static final int LINES = 300;
    private static final int MOST = 20;

    final World world;
    final Scenario scenario;
    final Disturbances disturbances = new Disturbances();
    final Map<Life, Map<String, LinkedHashMap<Token, Long>>> grants = new HashMap<>();
    private final Map<Invariant, Long> checked = new EnumMap<>(Invariant.class);
    private final List<String> broken = new ArrayList<>();
    private final Deque<Line> timeline = new ArrayDeque<>();
    private final Map<String, List<Write>> writes = new HashMap<>();
    private final Map<String, Long> gaps = new HashMap<>();
    private final IdentityHashMap<Row, Long> storedAt = new IdentityHashMap<>();
    private final List<long[]> forgotten = new ArrayList<>();
    private final Map<Life, Map<String, List<News>>> heard = new HashMap<>();
    /** Called when a load of these keys has ended, whatever comes of it. */
    Consumer<Set<String>> onLoadEnd = keys -> {};

    private final List<Suspect> suspects = new ArrayList<>();
    private List<String> suspectTimeline = List.of();
    private final boolean tracing;
    private final Map<String, List<Load>> running = new HashMap<>();
    private long gapEverywhere = -1;
    private long databaseDownUntil;
    private boolean storm;
    private boolean overdue;
    private int loads;
    private int numbers;

    /** Made into text only if somebody reads it. */
    private record Line(long at, Supplier<String> text) {}

    History(World world, Scenario scenario, boolean tracing) {
        this.world = world;
        this.scenario = scenario;
        this.tracing = tracing;
    }

    static String time(long nanos) {
        return String.format(Locale.ROOT, "%.6f", nanos / 1e9);
    }

    int number() {
        return ++numbers;
    }

    // ---- the timeline

    /** The line is only made if somebody will read it. */
    void tell(Supplier<String> line) {
        if (tracing && broken.isEmpty()) {
            timeline.addLast(new Line(world.now(), line));
            if (timeline.size() > LINES) {
                timeline.removeFirst();
            }
        }
    }

    List<String> timeline() {
        return timeline.stream()
                .map(line -> time(line.at) + "  " + line.text.get())
                .toList();
    }

    // ---- what goes on now

    /** True while faults happen; before and after that everything works. */
    boolean storm() {
        return storm;
    }

    void storm(boolean on) {
        storm = on;
    }

    /** Some load was interrupted because it took too long. */
    void overdue() {
        overdue = true;
    }

    boolean anyOverdue() {
        return overdue;
    }

    boolean databaseIsDown() {
        return world.now() < databaseDownUntil;
    }

    void databaseGoesDown(long until) {
        databaseDownUntil = until;
    }

    void running(Load load, boolean is) {
        for (String key : load.keys) {
            List<Load> now = running.computeIfAbsent(key, k -> new ArrayList<>());
            if (is) {
                now.add(load);
            } else {
                now.remove(load);
            }
        }
        loads += is && !load.nested ? 1 : 0;
        if (!is) {
            onLoadEnd.accept(load.keys);
        }
    }

    List<Load> running(String key) {
        return running.getOrDefault(key, List.of());
    }

    /** How many loads have begun that are not part of another. */
    int loads() {
        return loads;
    }

    // ---- invariants

    void check(Invariant invariant, boolean holds, Supplier<String> otherwise) {
        checked.merge(invariant, 1L, Long::sum);
        if (!holds && broken.size() < MOST) {
            broken.add(invariant + " at " + time(world.now()) + ": " + otherwise.get());
        }
    }

    /**
     * A load runs beside another for no reason, as far as is known now: whether each had a lease of its own shows only
     * when it gives it back.
     */
    void suspect(Load load, Load other, String key) {
        if (suspects.isEmpty()) {
            suspectTimeline = timeline();
        }
        suspects.add(new Suspect(load, other, key, world.now()));
    }

    private record Suspect(Load load, Load other, String key, long at) {
        Stream<Load> both() {
            return Stream.of(load, other);
        }
    }

    /** A failure was sent to the store with a grant; its text tells which load's it is. */
    void failedWithLease(String reason) {
        for (Suspect suspect : suspects) {
            suspect.both()
                    .filter(load -> reason.endsWith(LoaderFailure.MARK + load.id))
                    .forEach(Load::showsLease);
        }
    }

    /** Everything is over: of two loads that ran beside each other, did both have a lease? */
    void judgeSuspects() {
        for (Suspect suspect : suspects) {
            boolean broken = suspect.both().allMatch(Load::hadLease);
            check(
                    Invariant.ONE_LOAD,
                    !broken,
                    () -> "at " + time(suspect.at) + " " + suspect.load + " ran beside " + suspect.other + " of "
                            + suspect.key + " for no reason\n  then:\n" + String.join("\n", suspectTimeline));
        }
        suspects.clear();
    }

    List<String> broken() {
        return broken;
    }

    Map<Invariant, Long> checked() {
        return checked;
    }

    // ---- writes

    Write begins(Write write) {
        for (String key : write.keys.isEmpty() ? scenario.keys() : write.keys) {
            writes.computeIfAbsent(key, k -> new ArrayList<>()).add(write);
            gap(key, world.now());
        }
        return write;
    }

    void ends(Write write) {
        for (String key : write.keys.isEmpty() ? scenario.keys() : write.keys) {
            gap(key, world.now());
        }
    }

    List<Write> writes(String key) {
        return writes.getOrDefault(key, List.of());
    }

    /** An invalidation or a put took effect somewhere: whatever began before may be loaded anew. */
    void gap(String key, long instant) {
        gaps.merge(key, instant, Math::max);
    }

    void gapEverywhere(long instant) {
        gapEverywhere = Math.max(gapEverywhere, instant);
    }

    boolean gapSince(String key, long instant) {
        return gapEverywhere >= instant || gaps.getOrDefault(key, -1L) >= instant;
    }

    // ---- the store

    /** The store took this row in, at that instant; its time to live counts from there. */
    void stored(Row row, long instant) {
        storedAt.merge(row, instant, Math::max);
        if (row.origin() instanceof Write put) {
            put.stored(instant);
        }
    }

    long storedAt(Row row) {
        return storedAt.getOrDefault(row, -1L);
    }

    /** A copy took over that does not know what happened between these instants. */
    void forgotten(long from, long to) {
        forgotten.add(new long[] {from, to});
    }

    /** True if the store may have forgotten this write after it had carried it out. */
    boolean mayBeForgotten(Write write) {
        return forgotten.stream().anyMatch(lost -> write.began() <= lost[1] && write.ended() >= lost[0]);
    }

    // ---- announcements

    /** A process has heard of what the store did to this key at that instant. */
    void heard(Life life, String key, News.Kind kind, long storeInstant) {
        heard.computeIfAbsent(life, l -> new HashMap<>())
                .computeIfAbsent(key, k -> new ArrayList<>())
                .add(new News(kind, storeInstant, world.now()));
        if (!scenario.needsLease()) {
            gap(key, world.now()); // without a lease it is the news that lets a process load anew
        }
    }

    /**
     * True if this process knew of the write before that instant. News does not say whose it is, so only of a write that
     * no other, nor a replay, can be mistaken for.
     */
    boolean knew(Life life, String key, Write write, long instant) {
        boolean alone = writes(key).stream()
                .allMatch(other -> other == write
                        || (other.isApplied() && (other.ended() < write.began() || other.began() > write.ended())));
        return alone
                && heard.getOrDefault(life, Map.of()).getOrDefault(key, List.of()).stream()
                        .anyMatch(news -> news.isOf(write) && news.heardAt() < instant);
    }
}
