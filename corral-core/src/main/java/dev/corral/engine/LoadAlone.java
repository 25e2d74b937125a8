package dev.corral.engine;

import dev.corral.LoadRejectedException;
import dev.corral.LoadTimeoutException;
import dev.corral.Loader;
import dev.corral.Lookup;
import dev.corral.Outcome;
import dev.corral.Source;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The load of a caller that is itself a loader and has waited long enough for somebody else's: two nodes' loaders may be
 * waiting for each other. It is for that caller only; nothing is stored.
 */
final class LoadAlone<K, V> implements Load.End<V> {
    private final Request<K, V> request;
    private final Engine<K, V> engine;
    private final Load<V> load;

    LoadAlone(Engine<K, V> engine, Request<K, V> request, CallerLane lane, Loader<? super K, ? extends V> loader) {
        this.engine = engine;
        this.request = request;
        this.load = new Load<>(engine, () -> Set.of(request.key), lane, () -> loader.load(request.key), this);
    }

    void start() {
        load.start(true);
    }

    /** The caller waits no more; what has begun runs to its end. */
    void withdraw() {
        load.withdraw();
    }

    @Override
    public boolean permitted(boolean waited) {
        return true;
    }

    @Override
    public void began(boolean onCallersThread) {
        if (onCallersThread) {
            request.carriesIf(request.lane);
        }
    }

    @Override
    public void rejected(String why, @Nullable Throwable cause) {
        request.fail(new LoadRejectedException(request.report("nested wait") + "; " + why, cause));
    }

    @Override
    public void overdue() {
        Duration limit = engine.settings.maximumLoadTime();
        request.fail(new LoadTimeoutException(
                request.report("maximum load time of " + limit.toMillis() + " ms, loading alone"), null));
    }

    @Override
    public void ended(@Nullable V value, long costNanos) {
        request.complete(new Lookup<>(Outcome.FRESH, value, Duration.ZERO, Duration.ZERO, Source.LOAD));
    }

    @Override
    public void failed(Throwable cause, long costNanos) {
        request.fail(engine.forCallers(request.key, cause));
    }
}
