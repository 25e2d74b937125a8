package dev.corral.lab.app;

import io.javalin.http.Handler;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that are being served, and the most there were at once. */
final class OpenRequests {
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** The handler, counted. */
    Handler count(Handler handler) {
        return context -> {
            int open = now.incrementAndGet();
            most.accumulateAndGet(open, Math::max);
            try {
                handler.handle(context);
            } finally {
                now.decrementAndGet();
            }
        };
    }

    int now() {
        return now.get();
    }

    int most() {
        return most.get();
    }

    void reset() {
        most.set(now.get());
    }
}
