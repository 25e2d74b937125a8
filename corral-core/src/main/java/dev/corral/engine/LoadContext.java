package dev.corral.engine;

import dev.corral.LoadLimiter;
import dev.corral.RecursiveLoadException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loads that the current thread is inside of, innermost first. A nested load runs under the permit of the outer one,
 * and a loader that reads its own key is told so instead of waiting for itself.
 */
record LoadContext(
        String cache,
        Object key,
        @Nullable LoadLimiter permit,
        @Nullable LoadContext outer) {
    private static final ThreadLocal<@Nullable LoadContext> CURRENT = new ThreadLocal<>();

    static @Nullable LoadContext current() {
        return CURRENT.get();
    }

    static void enter(LoadContext context) {
        CURRENT.set(context);
    }

    static void leave(LoadContext context) {
        if (context.outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(context.outer);
        }
    }

    /** True if the current thread holds a permit of that limiter already. */
    static boolean holdsPermitOf(LoadLimiter limiter) {
        for (LoadContext load = current(); load != null; load = load.outer) {
            if (load.permit == limiter) {
                return true;
            }
        }
        return false;
    }

    /** Fails if the current thread is loading that key. */
    static void refuseCycle(String cache, Object key) {
        List<String> path = new ArrayList<>();
        path.add(cache + "[" + key + "]");
        for (LoadContext load = current(); load != null; load = load.outer) {
            path.add(load.cache + "[" + load.key + "]");
            if (load.cache.equals(cache) && load.key.equals(key)) {
                Collections.reverse(path);
                throw new RecursiveLoadException(
                        "A loader reads the key it is loading: " + String.join(" -> ", path), null);
            }
        }
    }
}
