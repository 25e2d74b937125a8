package dev.corral.lab.app;

import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.sql.SQLTransientConnectionException;

/** How a failed request is answered: busy when the pool had no connection in time, else an error. */
final class Failures {
    private static final int BUSY = 503;
    private static final int BROKEN = 500;

    private Failures() {}

    static void answer(Exception failure, Context context) {
        if (failure instanceof HttpResponseException http) {
            context.status(http.getStatus()).result(String.valueOf(http.getMessage()));
            return;
        }
        context.status(busy(failure) ? BUSY : BROKEN).result(failure.getClass().getSimpleName());
    }

    private static boolean busy(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof SQLTransientConnectionException || (cause != null && busy(cause));
    }
}
