package dev.corral.simulator;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Draft;
import dev.corral.spi.Parking;
import dev.corral.spi.Platform;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.StoredEntry;
import dev.corral.spi.TimeSource;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's process: the reference implementation of the lease protocol behind a queue. It keeps a log of the steps it
 * has carried out, so that a copy that lags can take over: a fresh store in which the log, without its end, is done
 * again with the same instants and dice.
 */
final class Server {
    private static final long WALL = 1_700_000_000_000L;
    private static final long MILLISECOND = 1_000_000;

    final Life life = new Life("store");
    private final World world;
    private final Monitor monitor;
    private final RegionSettings<String> settings;
    private final SplittableRandom luck;
    private final SplittableRandom dice;
    private final Map<String, RegionListener<String>> clients = new LinkedHashMap<>();
    private final Map<String, Region<String>> regions = new HashMap<>();
    private final List<Done> log = new ArrayList<>();
    private final Set<Token> evicted = new HashSet<>();
    private final List<Long> drawn = new ArrayList<>();
    private MemoryStore memory;
    private long otherNow = -1;
    private List<Long> drawAgain = List.of();
    private boolean mute;
    private boolean up = true;
    private long incarnation;
    private long busyUntil;
    private long slow;
    private long slowUntil;

    /** A step that was carried out, and how to do it again. */
    private record Done(long at, Supplier<?> again, List<Long> dice) {}

    Server(World world, Monitor monitor, RegionSettings<String> settings) {
        this.world = world;
        this.monitor = monitor;
        this.settings = settings;
        this.luck = world.random("server");
        this.dice = world.random("server's dice");
        this.memory = emptyStore();
    }

    private MemoryStore emptyStore() {
        TimeSource time = new TimeSource() {
            @Override
            public long nanoTime() {
                return now();
            }

            @Override
            public long wallMillis() {
                return WALL + now() / MILLISECOND;
            }
        };
        return MemoryStore.on(new Platform(
                time, this::draw, (nanos, task) -> () -> {}, Runnable::run, Runnable::run, Parking.threads()));
    }

    private long now() {
        return otherNow >= 0 ? otherNow : world.now();
    }

    private long draw() {
        long drawn = drawAgain.isEmpty() ? dice.nextLong() : drawAgain.get(0);
        this.drawn.add(drawn);
        return drawn;
    }

    /** The store's clock, in nanoseconds since the epoch. */
    private long wallNanos() {
        return WALL * MILLISECOND + now();
    }

    static long wallMillis(long worldNanos) {
        return WALL + worldNanos / MILLISECOND;
    }

    boolean isUp() {
        return up;
    }

    void join(String client, RegionListener<String> listener) {
        clients.put(client, listener);
        region(client);
    }

    void leave(String client) {
        clients.remove(client);
        Region<String> region = regions.remove(client);
        if (region != null) {
            region.close();
        }
    }

    private Region<String> region(String client) {
        return regions.computeIfAbsent(client, name -> {
            long before = otherNow;
            otherNow = 0; // its clock is set when it is first opened, to the millisecond
            try {
                return memory.open(settings, new Unmuted(client));
            } finally {
                otherNow = before;
            }
        });
    }

    // ---- steps

    /** Carries the step out when its turn comes, and replies with the answer and the store's clock. */
    <T> void handle(String client, long deadline, Step<T> step, BiConsumer<@Nullable T, Long> reply) {
        if (!up) {
            return;
        }
        long mine = incarnation;
        long work = 10_000 + luck.nextLong(20_000) + (world.now() < slowUntil ? luck.nextLong(slow) : 0);
        busyUntil = Math.max(busyUntil, world.now()) + work;
        world.at(life, busyUntil, () -> {
            if (mine != incarnation || !up) {
                return;
            }
            if (step.isVoidWhenLate() && world.now() > deadline) {
                return; // its sender has given up; nobody hears the refusal
            }
            reply.accept(carriedOut(client, step), wallNanos());
        });
    }

    /** A sign of life. */
    void ping(LongConsumer reply) {
        if (up) {
            long mine = incarnation;
            world.at(life, Math.max(busyUntil, world.now()), () -> {
                if (mine == incarnation && up) {
                    reply.accept(wallNanos());
                }
            });
        }
    }

    private <T> T carriedOut(String client, Step<T> step) {
        return logged(step.changes(), () -> carryOut(client, step));
    }

    private <T> T logged(boolean changes, Supplier<T> action) {
        drawn.clear();
        long at = now();
        T answer = action.get();
        if (changes) {
            log.add(new Done(at, action, List.copyOf(drawn)));
        }
        return answer;
    }

    private <T> T carryOut(String client, Step<T> step) {
        Step<T> seen = withoutEvicted(client, step);
        T answer = seen.on(region(client)).toCompletableFuture().join();
        monitor.carriedOut(client, step, answer, WALL + now() / MILLISECOND, now());
        return filtered(answer);
    }

    /** To the reference implementation an evicted value is one that the caller has seen. */
    @SuppressWarnings("unchecked")
    private <T> Step<T> withoutEvicted(String client, Step<T> step) {
        if (step instanceof Step.Acquire acquire) {
            StoredEntry stored = stored(client, acquire.key());
            if (stored != null && evicted.contains(stored.commitId())) {
                return (Step<T>) new Step.Acquire(acquire.key(), acquire.token(), acquire.lease(), stored.commitId());
            }
        }
        return step;
    }

    private @Nullable StoredEntry stored(String client, String key) {
        Reading reading = region(client).read(key).toCompletableFuture().join();
        return reading instanceof Reading.Found found ? found.entry() : null;
    }

    @SuppressWarnings("unchecked")
    private <T> T filtered(T answer) {
        if (!(answer instanceof Map<?, ?> readings) || evicted.isEmpty()) {
            return answer;
        }
        Map<Object, Object> left = new LinkedHashMap<>();
        readings.forEach((key, reading) -> {
            boolean gone = reading instanceof Reading.Found found
                    && evicted.contains(found.entry().commitId());
            left.put(key, gone ? new Reading.Missing() : reading);
        });
        return (T) left;
    }

    // ---- faults

    void freeze(long nanos) {
        busyUntil = Math.max(busyUntil, world.now()) + nanos;
    }

    /** Each step takes up to that much longer. */
    void slowDown(long perStep, long nanos) {
        slow = perStep;
        slowUntil = world.now() + nanos;
    }

    void heal() {
        slowUntil = 0;
        busyUntil = Math.min(busyUntil, world.now() + MILLISECOND);
        up = true;
    }

    void goDown() {
        up = false;
        incarnation++;
        busyUntil = 0;
    }

    /** A copy takes over that has not heard of anything since that instant. */
    void comeUpAsOf(long instant) {
        List<Done> known = new ArrayList<>();
        log.stream().filter(done -> done.at <= instant).forEach(known::add);
        comeUpEmpty();
        mute = true;
        for (Done done : known) {
            otherNow = done.at;
            drawAgain = new ArrayList<>(done.dice);
            Object ignored = logged(true, done.again);
            log.set(log.size() - 1, done);
        }
        otherNow = -1;
        drawAgain = List.of();
        mute = false;
    }

    /** The same server, or another one, without any data. */
    void comeUpEmpty() {
        flush();
        up = true;
    }

    void flush() {
        memory = emptyStore();
        regions.clear();
        evicted.clear();
        log.clear();
        monitor.forgetAll();
        clients.keySet().forEach(this::region);
    }

    /** Takes a value or a record out, as a full server does, without a word. */
    void evict(String key, boolean value, boolean record) {
        logged(true, () -> {
            evictNow(key, value, record);
            return true;
        });
    }

    private void evictNow(String key, boolean value, boolean record) {
        StoredEntry entry = stored("evictor", key);
        if (value && entry != null) {
            evicted.add(entry.commitId());
        }
        if (record) {
            dropRecord(key, entry);
        }
        monitor.evicted(key, value, record);
    }

    /** A put deletes the record; one at the entry's own instant leaves the entry as it was. */
    private void dropRecord(String key, @Nullable StoredEntry entry) {
        Region<String> region = region("evictor");
        boolean before = mute;
        mute = true;
        if (entry == null) {
            region.invalidate(List.of(key));
        } else {
            long there = otherNow;
            otherNow = (entry.writtenAt() - WALL) * MILLISECOND;
            region.put(
                    key,
                    entry.commitId(),
                    new Draft(
                            entry.payload(),
                            Duration.ofMillis(entry.softExpiry() - entry.writtenAt()),
                            Duration.ofMillis(entry.hardExpiry() - entry.softExpiry()),
                            entry.cost()));
            otherNow = there;
        }
        mute = before;
    }

    // ---- announcements

    private final class Unmuted implements RegionListener<String> {
        private final String client;

        Unmuted(String client) {
            this.client = client;
        }

        private void tell(Consumer<RegionListener<String>> news) {
            RegionListener<String> listener = clients.get(client);
            if (listener != null && !mute) {
                news.accept(listener);
            }
        }

        @Override
        public void stored(String key) {
            tell(listener -> listener.stored(key));
        }

        @Override
        public void invalidated(String key) {
            tell(listener -> listener.invalidated(key));
        }

        @Override
        public void failed(String key) {
            tell(listener -> listener.failed(key));
        }

        @Override
        public void invalidatedAll() {
            tell(RegionListener::invalidatedAll);
        }

        @Override
        public void subscriptionLost() {}

        @Override
        public void subscribed() {}
    }
}
