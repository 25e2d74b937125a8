package dev.corral.simulator;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Breaker;
import dev.corral.spi.Delays;
import dev.corral.spi.Grant;
import dev.corral.spi.Platform;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's way to the store: a connection for steps, one for announcements, a breaker. Each step has a time-out; when
 * the connection breaks, all that are under way fail, and the store may or may not have carried them out.
 */
final class Link implements Store {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;

    final Wire up;
    final Wire down;
    final Wire news;
    private final Machine machine;
    private final Server server;
    private final History history;
    private final Platform platform;
    private final Breaker breaker;
    private final Estimate clock = new Estimate();
    private final SplittableRandom luck;
    private final Map<Long, CompletableFuture<?>> underWay = new LinkedHashMap<>();
    private @Nullable RegionListener<String> listener;
    private boolean connected = true;
    private boolean subscribed = true;
    private long connection;
    private long steps;
    /** Called each time a step has been sent. */
    Runnable onStep = () -> {};

    Link(Machine machine, Platform platform, Server server, History history) {
        this.machine = machine;
        this.platform = platform;
        this.server = server;
        this.history = history;
        this.luck = machine.world.random("link " + name());
        Scenario scenario = history.scenario;
        double spikes = scenario.has(Fault.LATENCY_SPIKES) ? 0.02 : 0;
        double loss = scenario.has(Fault.LOST_MESSAGES) ? 0.02 : 0;
        double newsLoss = scenario.has(Fault.LOST_NEWS) ? 0.2 : 0;
        Runnable trouble = this::disturbed;
        this.up = new Wire(machine.world, name() + " up", scenario.latency(), spikes, loss, trouble);
        this.down = new Wire(machine.world, name() + " down", scenario.latency(), spikes, loss, trouble);
        this.news = new Wire(machine.world, name() + " news", scenario.latency(), spikes, newsLoss, () -> {});
        this.breaker = new Breaker(platform, this::ping);
    }

    String name() {
        return machine.life.name;
    }

    private void disturbed() {
        history.disturbances.disturb(
                machine.life,
                machine.world.now() + history.scenario.storeTimeout().toNanos());
    }

    // ---- steps

    <T> CompletionStage<T> send(Step<T> step) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (machine.life.isDead()) {
            return answer;
        }
        if (!connected) {
            disturbed();
            return CompletableFuture.failedFuture(gone());
        }
        history.tell(() -> name() + " sends " + step);
        long sent = machine.nanoTime();
        long timeout = history.scenario.storeTimeout().toNanos();
        long mine = connection;
        long number = ++steps;
        Delays.Timer timer = platform.delays().after(timeout, () -> {
            if (underWay.remove(number) != null) {
                disturbed();
                history.tell(() -> name() + " gives up " + step);
                answer.completeExceptionally(new StoreException(Reason.TIMEOUT, "no answer in time", null));
            }
        });
        settled(step);
        long deadline = machine.world.now() + timeout;
        underWay.put(number, answer);
        answer.whenComplete((value, failure) -> timer.cancel());
        up.carry(server.life, () -> {
            if (mine == connection || luck.nextBoolean()) { // what a broken connection still had in it
                server.handle(
                        name(),
                        deadline,
                        step,
                        (value, storeNanos) -> down.carry(
                                machine.life, () -> arrived(mine, number, sent, step, answer, value, storeNanos)));
            }
        });
        onStep.run();
        return answer;
    }

    private long age(long sent) {
        return machine.nanoTime() - sent;
    }

    private <T> void arrived(
            long from,
            long number,
            long sent,
            Step<T> step,
            CompletableFuture<T> answer,
            @Nullable T value,
            long storeNanos) {
        if (from != connection || underWay.remove(number) == null) {
            return;
        }
        history.tell(() -> name() + " hears " + value + " to " + step);
        clock.measured(sent, machine.nanoTime(), storeNanos);
        granted(step, value, sent);
        answer.complete(value);
    }

    private void granted(Step<?> step, @Nullable Object value, long sent) {
        if (!(step instanceof Step.Acquire acquire) || !(value instanceof Acquisition.Granted)) {
            return;
        }
        history.grants
                .computeIfAbsent(machine.life, life -> new HashMap<>())
                .computeIfAbsent(acquire.key(), key -> new LinkedHashMap<>())
                .put(acquire.token(), machine.world.now() - age(sent));
    }

    /** A grant that is given back has no load to come. */
    private void settled(Step<?> step) {
        if (step instanceof Step.Fail fail) {
            settled(fail.key(), fail.grant());
            history.failedWithLease(fail.reason());
        } else if (step instanceof Step.Commit commit) {
            settled(commit.key(), commit.grant());
            if (commit.draft().payload() instanceof Row row && row.origin() instanceof Load load) {
                load.showsLease();
            }
        }
    }

    private void settled(String key, Grant grant) {
        history.grants
                .getOrDefault(machine.life, Map.of())
                .getOrDefault(key, new LinkedHashMap<>())
                .remove(grant.token());
    }

    private CompletionStage<Boolean> ping() {
        CompletableFuture<Boolean> alive = new CompletableFuture<>();
        if (!connected) {
            return CompletableFuture.failedFuture(gone());
        }
        long mine = connection;
        long sent = machine.nanoTime();
        up.carry(
                server.life,
                () -> server.ping(storeNanos -> down.carry(machine.life, () -> {
                    if (mine == connection) {
                        clock.measured(sent, machine.nanoTime(), storeNanos);
                        alive.complete(true);
                    }
                })));
        return alive;
    }

    private static StoreException gone() {
        return new StoreException(Reason.DISCONNECTED, "not connected", null);
    }

    // ---- the connection

    boolean isConnected() {
        return connected;
    }

    /** The connections break, for that long. */
    void disconnect(long nanos) {
        connection++;
        connected = false;
        disturbed();
        history.disturbances.disturb(machine.life, machine.world.now() + nanos);
        World world = machine.world;
        world.after(machine.life, 0, this::noticed);
        world.at(world.now() + nanos, this::reconnect);
    }

    private void noticed() {
        history.grants.remove(machine.life);
        List<CompletableFuture<?>> broken = List.copyOf(underWay.values());
        underWay.clear();
        clock.forget();
        breaker.open("the connection broke");
        broken.forEach(step -> step.completeExceptionally(gone()));
        if (subscribed) {
            subscribed = false;
            tell(RegionListener::subscriptionLost);
        }
    }

    private void reconnect() {
        if (connected || machine.life.isDead()) {
            return;
        }
        if (!server.isUp()) {
            machine.world.at(machine.world.now() + 100 * MILLISECOND, this::reconnect);
            return;
        }
        connected = true;
        up.reconnect();
        down.reconnect();
        news.reconnect();
        long mine = connection;
        machine.world.after(machine.life, luck.nextLong(SECOND / 2), () -> {
            if (mine == connection && !subscribed) {
                subscribed = true;
                tell(RegionListener::subscribed);
            }
        });
    }

    private void tell(Consumer<RegionListener<String>> what) {
        RegionListener<String> ear = listener;
        if (ear != null) {
            what.accept(ear);
        }
    }

    /** What the store announces to this node. */
    private void announced(News.Kind kind, List<String> keys, Consumer<RegionListener<String>> announcement) {
        if (!subscribed) {
            return;
        }
        long mine = connection;
        long happened = machine.world.now();
        int copies = history.scenario.has(Fault.DUPLICATE_NEWS) && luck.nextInt(5) == 0 ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            news.carry(machine.life, () -> {
                if (mine == connection && subscribed) {
                    history.tell(() -> name() + " hears: " + keys + " " + kind);
                    tell(announcement);
                    keys.forEach(key -> history.heard(machine.life, key, kind, happened));
                }
            });
        }
    }

    private final class Ear implements RegionListener<String> {
        @Override
        public void stored(String key) {
            announced(News.Kind.STORED, List.of(key), listener -> listener.stored(key));
        }

        @Override
        public void invalidated(String key) {
            announced(News.Kind.INVALIDATED, List.of(key), listener -> listener.invalidated(key));
        }

        @Override
        public void failed(String key) {
            announced(News.Kind.FAILED, List.of(key), listener -> listener.failed(key));
        }

        @Override
        public void invalidatedAll() {
            announced(News.Kind.INVALIDATED, history.scenario.keys(), RegionListener::invalidatedAll);
        }

        @Override
        public void subscriptionLost() {}

        @Override
        public void subscribed() {}
    }

    // ---- the store's face

    @Override
    @SuppressWarnings("unchecked")
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> ear) {
        listener = (RegionListener<String>) ear;
        server.join(name(), new Ear());
        return (Region<K>) new LinkRegion(this);
    }

    StoreClock clock() {
        return clock.at(machine.nanoTime());
    }

    void leave() {
        listener = null;
        server.leave(name());
    }

    @Override
    public boolean keepsReferences() {
        return true;
    }

    @Override
    public Breaker breaker() {
        return breaker;
    }

    @Override
    public void close() {
        breaker.close();
    }
}
