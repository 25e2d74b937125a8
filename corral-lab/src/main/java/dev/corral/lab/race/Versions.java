package dev.corral.lab.race;

import dev.corral.lab.LabException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Which versions of everything take part; also the first word with each server, so that a wrong address shows here. */
final class Versions {
    private Versions() {}

    static Map<String, String> of(String redisName, String redisUri, Connection database) throws SQLException {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("java", Runtime.version().toString());
        versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        versions.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        versions.put("postgresql", database.getMetaData().getDatabaseProductVersion());
        versions.put("redis", redis(redisName, redisUri));
        return versions;
    }

    private static String redis(String name, String uri) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection
                    .sync()
                    .info("server")
                    .lines()
                    .filter(line -> line.startsWith("redis_version:"))
                    .map(line -> line.substring("redis_version:".length()).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (RedisException e) {
            throw new LabException(name + " does not answer: " + rootMessage(e), e);
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private static String rootMessage(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? String.valueOf(failure.getMessage()) : rootMessage(cause);
    }
}
