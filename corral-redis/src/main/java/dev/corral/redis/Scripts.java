package dev.corral.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The steps that change something, as Lua: by their hash, or whole when the server does not know them yet. */
enum Scripts {
    ACQUIRE,
    COMMIT,
    RENEW,
    FAIL,
    PUT,
    TOUCH,
    INVALIDATE,
    RELAY;

    private final String source = load("prelude.lua") + load(name().toLowerCase(Locale.ROOT) + ".lua");
    private final String hash = sha1(source);

    CompletionStage<List<Object>> run(RedisAsyncCommands<byte[], byte[]> redis, byte[][] keys, byte[]... arguments) {
        CompletionStage<List<Object>> known = redis.evalsha(hash, ScriptOutputType.MULTI, keys, arguments);
        return known.handle((answer, failure) -> {
                    if (isUnknown(failure)) {
                        return redis.<List<Object>>eval(source, ScriptOutputType.MULTI, keys, arguments);
                    }
                    return failure == null
                            ? CompletableFuture.completedFuture(answer)
                            : CompletableFuture.<List<Object>>failedFuture(failure);
                })
                .thenCompose(next -> next);
    }

    private static boolean isUnknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RedisNoScriptException;
    }

    private static String load(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
