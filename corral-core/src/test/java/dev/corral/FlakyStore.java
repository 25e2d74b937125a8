package dev.corral;

import dev.corral.memory.MemoryStore;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Breaker;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Platform;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node's connection to a memory store, which can fail in every way. */
public final class FlakyStore implements Store {
    /** How the connection is. */
    public enum State {
        UP,
        /** Every step fails at once. */
        DOWN,
        /** No step is carried out; each fails after its time-out. */
        FROZEN,
        /** Reads are answered, writes refused. */
        FULL,
        /** Steps are carried out, but their answers are lost. */
        DEAF_ANSWERS,
        /** The connection breaks with the step in it: that fails at once, and is carried out half its time-out later. */
        CUT_OFF
    }

    private final MemoryStore behind;
    private final Platform platform;
    private final Breaker breaker;
    private final List<String> steps = new ArrayList<>();
    private final List<RegionListener<?>> listeners = new ArrayList<>();
    private State state = State.UP;
    private Predicate<String> only = step -> true;
    private @Nullable Duration slow;
    private boolean mute;
    private @Nullable Object refused;

    public FlakyStore(MemoryStore behind, Platform platform) {
        this.behind = behind;
        this.platform = platform;
        this.breaker = new Breaker(
                platform,
                () -> state == State.UP || state == State.FULL
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.failedFuture(new IllegalStateException("no answer")));
    }

    public void become(State next) {
        become(next, step -> true);
    }

    /** Only some steps fail. */
    public void become(State next, Predicate<String> steps) {
        state = next;
        only = steps;
    }

    /** Answers come that much later; the steps themselves are carried out at once. */
    public void answerLate(@Nullable Duration delay) {
        slow = delay;
    }

    /** From now on invalidating this key fails as if it had no bytes. */
    public void refuseKey(Object key) {
        refused = key;
    }

    /** Announcements of others no longer arrive. */
    public void mute(boolean on) {
        mute = on;
    }

    public void subscribe() {
        mute = false;
        listeners.forEach(RegionListener::subscribed);
    }

    public void loseSubscription() {
        mute = true;
        listeners.forEach(RegionListener::subscriptionLost);
    }

    /** The steps taken so far. */
    public List<String> steps() {
        return steps;
    }

    @Override
    public <K> Region<K> open(RegionSettings<K> settings, RegionListener<K> listener) {
        listeners.add(listener);
        return new Flaky<>(behind.open(settings, new Muted<>(listener)), settings.timeout());
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

    private final class Muted<K> implements RegionListener<K> {
        private final RegionListener<K> listener;

        Muted(RegionListener<K> listener) {
            this.listener = listener;
        }

        private void unlessMute(Runnable news) {
            if (!mute) {
                news.run();
            }
        }

        @Override
        public void stored(K key) {
            unlessMute(() -> listener.stored(key));
        }

        @Override
        public void invalidated(K key) {
            unlessMute(() -> listener.invalidated(key));
        }

        @Override
        public void failed(K key) {
            unlessMute(() -> listener.failed(key));
        }

        @Override
        public void invalidatedAll() {
            unlessMute(listener::invalidatedAll);
        }

        @Override
        public void subscriptionLost() {
            listener.subscriptionLost();
        }

        @Override
        public void subscribed() {
            listener.subscribed();
        }
    }

    private final class Flaky<K> implements Region<K> {
        private final Region<K> region;
        private final Duration timeout;

        Flaky(Region<K> region, Duration timeout) {
            this.region = region;
            this.timeout = timeout;
        }

        private <T> CompletionStage<T> step(String name, Supplier<CompletionStage<T>> action) {
            steps.add(name);
            if (!only.test(name)) {
                return late(action.get());
            }
            return switch (state) {
                case UP -> late(action.get());
                case DOWN ->
                    CompletableFuture.failedFuture(new StoreException(Reason.DISCONNECTED, "connection refused", null));
                case FROZEN -> timedOut();
                case CUT_OFF -> {
                    platform.delays()
                            .after(timeout.toNanos() / 2, () -> action.get().thenAccept(nobody -> {}));
                    yield CompletableFuture.failedFuture(
                            new StoreException(Reason.DISCONNECTED, "connection lost", null));
                }
                case FULL ->
                    name.equals("read")
                            ? action.get()
                            : CompletableFuture.failedFuture(new StoreException(Reason.REFUSED, "OOM", null));
                case DEAF_ANSWERS -> {
                    CompletionStage<T> unheard = action.get();
                    yield unheard == null ? unheard : timedOut();
                }
            };
        }

        private <T> CompletionStage<T> late(CompletionStage<T> answer) {
            if (slow == null) {
                return answer;
            }
            CompletableFuture<T> later = new CompletableFuture<>();
            platform.delays().after(slow.toNanos(), () -> answer.thenAccept(later::complete));
            return later;
        }

        private <T> CompletionStage<T> timedOut() {
            CompletableFuture<T> never = new CompletableFuture<>();
            platform.delays()
                    .after(
                            timeout.toNanos(),
                            () -> never.completeExceptionally(
                                    new StoreException(Reason.TIMEOUT, "no answer in time", null)));
            return never;
        }

        @Override
        public CompletionStage<Reading> read(K key) {
            return step("read", () -> region.read(key));
        }

        @Override
        public CompletionStage<Map<K, Reading>> readAll(Collection<K> keys) {
            return step("read", () -> region.readAll(keys));
        }

        @Override
        public CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known) {
            return step("acquire", () -> region.acquire(key, token, lease, known));
        }

        @Override
        public CompletionStage<Boolean> renew(K key, Token token, Duration lease) {
            return step("renew", () -> region.renew(key, token, lease));
        }

        @Override
        public CompletionStage<Committed> commit(K key, Grant grant, Draft entry) {
            return step("commit", () -> region.commit(key, grant, entry));
        }

        @Override
        public CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason) {
            return step("fail", () -> region.fail(key, grant, backOff, reason));
        }

        @Override
        public CompletionStage<Void> put(K key, Token token, Draft entry) {
            return step("put", () -> region.put(key, token, entry));
        }

        @Override
        public CompletionStage<Touched> touch(K key) {
            return step("touch", () -> region.touch(key));
        }

        @Override
        public CompletionStage<Void> invalidate(Collection<K> keys) {
            if (refused != null && keys.stream().anyMatch(refused::equals)) {
                throw new IllegalArgumentException("a key without bytes");
            }
            return step("invalidate", () -> region.invalidate(keys));
        }

        @Override
        public CompletionStage<Void> invalidateAll() {
            return step("invalidateAll", region::invalidateAll);
        }

        @Override
        public StoreClock clock() {
            return region.clock();
        }

        @Override
        public void close() {
            region.close();
        }
    }
}
