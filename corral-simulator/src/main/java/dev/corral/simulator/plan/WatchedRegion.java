package dev.corral.simulator.plan;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.StoreClock;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The lease protocol of one process, passed on as it is. The watch hears of each answer before the engine does. */
record WatchedRegion<K>(Region<K> region, Node process, Watch watch) implements Region<K> {

    @Override
    public CompletionStage<Reading> read(K key) {
        return region.read(key);
    }

    @Override
    public CompletionStage<Map<K, Reading>> readAll(Collection<K> keys) {
        return region.readAll(keys);
    }

    @Override
    public CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known) {
        return region.acquire(key, token, lease, known).thenApply(answer -> {
            watch.asked(process, !lease.isZero(), answer);
            return answer;
        });
    }

    @Override
    public CompletionStage<Boolean> renew(K key, Token token, Duration lease) {
        return region.renew(key, token, lease);
    }

    @Override
    public CompletionStage<Committed> commit(K key, Grant grant, Draft entry) {
        return region.commit(key, grant, entry).thenApply(answer -> {
            watch.committed(process, entry, answer);
            return answer;
        });
    }

    @Override
    public CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason) {
        watch.gaveUp(process);
        return region.fail(key, grant, backOff, reason);
    }

    @Override
    public CompletionStage<Void> put(K key, Token token, Draft entry) {
        return region.put(key, token, entry);
    }

    @Override
    public CompletionStage<Touched> touch(K key) {
        return region.touch(key);
    }

    @Override
    public CompletionStage<Void> invalidate(Collection<K> keys) {
        return region.invalidate(keys);
    }

    @Override
    public CompletionStage<Void> invalidateAll() {
        return region.invalidateAll();
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
