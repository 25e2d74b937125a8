package dev.corral.redis;

import dev.corral.KeyCodec;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import dev.corral.spi.StoreException;
import dev.corral.spi.Token;
import dev.corral.testkit.HeardNews;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One region's steps, each waited for. */
final class Steps {
    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    final HeardNews news = new HeardNews();
    final Region<String> region;

    Steps(Store store, String cache) {
        this(store, cache, TIMEOUT);
    }

    Steps(Store store, String cache, Duration timeout) {
        region = store.open(new RegionSettings<>(cache, KeyCodec.of(String.class), 1, LONG, timeout), news);
    }

    static Token token() {
        return new Token(
                ThreadLocalRandom.current().nextLong(),
                ThreadLocalRandom.current().nextLong());
    }

    static Draft draft(String value) {
        return new Draft(value.getBytes(StandardCharsets.UTF_8), LONG, LONG, Cost.UNKNOWN);
    }

    void put(String key, String value) {
        await(region.put(key, token(), draft(value)));
    }

    Acquisition acquire(String key) {
        return await(region.acquire(key, token(), LONG, null));
    }

    Grant grant(String key) {
        return ((Acquisition.Granted) acquire(key)).grant();
    }

    /** The entry's text; null if it is missing, and "unreadable" if it is that. */
    String text(String key) {
        Reading reading = await(region.read(key));
        if (reading instanceof Reading.Found found) {
            return new String((byte[]) found.entry().payload(), StandardCharsets.UTF_8);
        }
        return reading instanceof Reading.Unreadable ? "unreadable" : null;
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(15, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the step was not answered", e);
        }
    }

    /** What the step failed with; anything but a {@link StoreException} is an error of its own. */
    static StoreException failure(CompletionStage<?> stage) {
        try {
            await(stage);
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (cause instanceof StoreException trouble) {
                return trouble;
            }
            throw new AssertionError("failed with something else: " + cause, cause);
        }
        throw new AssertionError("the step succeeded");
    }
}
