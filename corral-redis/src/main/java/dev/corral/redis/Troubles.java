package dev.corral.redis;

import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisReadOnlyException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/** What a failed command means. Server errors travel by their first word only: the rest may quote keys or users. */
final class Troubles {
    private static final List<String> CODES =
            List.of("OOM", "NOPERM", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "LOADING", "WRONGTYPE", "MISCONF");

    private Troubles() {}

    static StoreException of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof RedisCommandTimeoutException) {
            return new StoreException(Reason.TIMEOUT, "no answer in time", cause);
        }
        if (cause instanceof RedisCommandExecutionException answer) {
            String word = firstWord(answer);
            return new StoreException(
                    meansGone(answer, word) ? Reason.DISCONNECTED : Reason.REFUSED, "the server said " + word, cause);
        }
        String kind = cause.getClass().getSimpleName();
        boolean gone = cause instanceof RedisException
                || cause instanceof IOException
                || cause instanceof CancellationException;
        return gone
                ? new StoreException(Reason.DISCONNECTED, "not connected (" + kind + ")", cause)
                : new StoreException(Reason.REFUSED, "the command could not be sent (" + kind + ")", cause);
    }

    /**
     * Why there is no connection, in the words of whoever knows best: the network's or TLS's own, which name addresses and
     * certificates; of a server's answer the code alone.
     */
    static String rootOf(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException known) {
                return String.valueOf(known.getMessage());
            }
            if (cause instanceof RedisCommandExecutionException answer) {
                return "the server said " + firstWord(answer);
            }
            if (cause instanceof IOException) {
                reason = cause.getClass().getSimpleName() + ": " + cause.getMessage();
            }
        }
        return reason;
    }

    /** It answers, but nothing can be done there for now. */
    private static boolean meansGone(RedisCommandExecutionException answer, String word) {
        return answer instanceof RedisLoadingException
                || answer instanceof RedisReadOnlyException
                || answer instanceof RedisBusyException
                || word.equals("LOADING")
                || word.equals("READONLY")
                || word.equals("MASTERDOWN")
                || word.equals("CLUSTERDOWN");
    }

    /** The error's code; what a script ran into stands inside the script's own error. */
    private static String firstWord(RedisCommandExecutionException answer) {
        String message = String.valueOf(answer.getMessage());
        for (String code : CODES) {
            if (message.contains(code + " ")) {
                return code;
            }
        }
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}
