package dev.corral.engine;

import dev.corral.RecursiveLoadException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The loads that the current thread is inside of, innermost first. A nested load runs under the permit of the outer one,
 * and a loader that reads its own key is told so instead of waiting for itself.
 */
record LoadContext(
        String cache,
        Set<?> keys,
        Permits permits,
        @Nullable LoadContext outer) {
    private static final ThreadLocal<@Nullable LoadContext> CURRENT = new ThreadLocal<>();

    static @Nullable LoadContext current() {
        return CURRENT.get();
    }

    /** Sets what the current thread is inside of; returns what it was inside of before, to be set again afterwards. */
    static @Nullable LoadContext enter(@Nullable LoadContext context) {
        LoadContext before = CURRENT.get();
        if (context == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(context);
        }
        return before;
    }

    /** True if one of those loads runs under one of these permits. */
    boolean holdsOneOf(Permits wanted) {
        for (LoadContext load = this; load != null; load = load.outer) {
            if (load.permits == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Fails if one of them is the load of that key. */
    void refuseCycle(String name, Object key) {
        List<String> path = new ArrayList<>();
        path.add(name + "[" + key + "]");
        for (LoadContext load = this; load != null; load = load.outer) {
            boolean same = load.cache.equals(name) && load.keys.contains(key);
            path.add(load.cache + (same ? "[" + key + "]" : load.keys));
            if (same) {
                Collections.reverse(path);
                throw new RecursiveLoadException(
                        "A loader reads the key it is loading: " + String.join(" -> ", path), null);
            }
        }
    }
}
