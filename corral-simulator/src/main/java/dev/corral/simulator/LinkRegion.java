package dev.corral.simulator;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The lease protocol, each step a message. */
final class LinkRegion implements Region<String> {
    private final Link link;

    LinkRegion(Link link) {
        this.link = link;
    }

    @Override
    public CompletionStage<Reading> read(String key) {
        return link.send(new Step.Read(List.of(key)))
                .thenApply(readings -> readings.getOrDefault(key, new Reading.Missing()));
    }

    @Override
    public CompletionStage<Map<String, Reading>> readAll(Collection<String> keys) {
        return link.send(new Step.Read(sorted(keys)));
    }

    /** Sets of the JDK have another order in each JVM. */
    private static List<String> sorted(Collection<String> keys) {
        return keys.stream().sorted().toList();
    }

    @Override
    public CompletionStage<Acquisition> acquire(String key, Token token, Duration lease, @Nullable Token known) {
        return link.send(new Step.Acquire(key, token, lease, known));
    }

    @Override
    public CompletionStage<Boolean> renew(String key, Token token, Duration lease) {
        return link.send(new Step.Renew(key, token, lease));
    }

    @Override
    public CompletionStage<Committed> commit(String key, Grant grant, Draft entry) {
        return link.send(new Step.Commit(key, grant, entry));
    }

    @Override
    public CompletionStage<Void> fail(String key, Grant grant, Duration backOff, String reason) {
        return link.send(new Step.Fail(key, grant, backOff, reason));
    }

    @Override
    public CompletionStage<Void> put(String key, Token token, Draft entry) {
        return link.send(new Step.Put(key, token, entry));
    }

    @Override
    public CompletionStage<Touched> touch(String key) {
        return link.send(new Step.Touch(key));
    }

    @Override
    public CompletionStage<Void> invalidate(Collection<String> keys) {
        return link.send(new Step.Invalidate(sorted(keys)));
    }

    @Override
    public CompletionStage<Void> invalidateAll() {
        return link.send(new Step.InvalidateAll());
    }

    @Override
    public StoreClock clock() {
        return link.clock();
    }

    @Override
    public void close() {
        link.leave();
    }
}
