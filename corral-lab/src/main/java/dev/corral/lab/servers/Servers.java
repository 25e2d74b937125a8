package dev.corral.lab.servers;

import dev.corral.lab.LabException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Where Redis and PostgreSQL are for this run.
 *
 * @param redisUri for Lettuce; may hold a password
 * @param jdbcUrl for pgjdbc; may hold a password
 * @param databaseLog PostgreSQL's log, when the server is ours
 * @param databasePid the postmaster, when the server is ours
 */
public record Servers(String redisUri, String jdbcUrl, Optional<Path> databaseLog, OptionalLong databasePid) {

    /**
     * Uses the user's own servers where given and starts the others, both at once; stopped, and their files removed, by
     * the clean-up.
     */
    public static Servers open(
            Optional<String> ownRedis, Optional<String> ownDatabase, TempFolder temp, Cleanup cleanup) {
        if (ownRedis.isEmpty() || ownDatabase.isEmpty()) {
            cleanup.add(Watcher.over(temp));
        }
        cleanup.add(temp);
        CompletableFuture<String> redis = ownRedis.map(CompletableFuture::completedFuture)
                .orElseGet(() -> CompletableFuture.supplyAsync(
                        () -> cleanup.add(EmbeddedRedis.start(temp)).uri()));
        Optional<EmbeddedDatabase> database =
                ownDatabase.isPresent() ? Optional.empty() : Optional.of(cleanup.add(EmbeddedDatabase.start(temp)));
        return new Servers(
                await(redis),
                ownDatabase.orElseGet(() -> database.orElseThrow().jdbcUrl()),
                database.map(EmbeddedDatabase::log),
                database.map(d -> OptionalLong.of(d.pid())).orElse(OptionalLong.empty()));
    }

    private static String await(CompletableFuture<String> redis) {
        try {
            return redis.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LabException lab) {
                throw lab;
            }
            throw e;
        }
    }

    /** Without the addresses: they may hold passwords. */
    @Override
    public String toString() {
        return databaseLog.isPresent() ? "embedded PostgreSQL" : "the user's PostgreSQL";
    }
}
