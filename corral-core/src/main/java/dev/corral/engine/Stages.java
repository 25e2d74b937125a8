package dev.corral.engine;

import dev.corral.spi.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Continues after a step of the store. */
final class Stages {
    private Stages() {}

    /** Runs the continuation here and now if the answer is there already, else on the lane once it is. */
    static <T> void then(
            CompletionStage<T> stage, Executor lane, BiConsumer<@Nullable T, @Nullable StoreException> next) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!future.isDone()) {
            future.whenComplete((answer, failure) -> lane.execute(() -> next.accept(answer, trouble(failure))));
            return;
        }
        // Not through whenComplete, which would swallow what the continuation throws.
        @Nullable T answer = null;
        @Nullable StoreException trouble = null;
        try {
            answer = future.getNow(null);
        } catch (RuntimeException e) {
            trouble = trouble(e);
        }
        next.accept(answer, trouble);
    }

    /** Whatever a step failed with, as the store's trouble. */
    static @Nullable StoreException trouble(@Nullable Throwable failure) {
        if (failure == null) {
            return null;
        }
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof StoreException known) {
            return known;
        }
        return new StoreException(
                StoreException.Reason.REFUSED,
                "the store failed: " + cause.getClass().getName(),
                cause);
    }
}
