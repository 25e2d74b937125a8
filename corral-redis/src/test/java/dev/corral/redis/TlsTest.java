package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.corral.CacheEvent;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import io.lettuce.core.SslOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://}, through something that ends TLS in front of the server, as many have it. */
class TlsTest {
    private static final String PASSWORD = "for the key store";

    private static TestRedis server;
    private static Relay good;
    private static Relay misnamed;
    private static SslOptions trustsGood;
    private static SslOptions trustsMisnamed;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        server = TestRedis.start();
        good = new Relay(server.port(), certified(folder.resolve("good"), "ip:127.0.0.1"));
        misnamed = new Relay(server.port(), certified(folder.resolve("misnamed"), "dns:cache.example"));
        trustsGood = trusting(folder.resolve("good"));
        trustsMisnamed = trusting(folder.resolve("misnamed"));
    }

    @AfterAll
    static void stop() throws Exception {
        good.close();
        misnamed.close();
        server.close();
    }

    /** As docs/redis.md says it. */
    private static SslOptions trusting(Path folder) {
        return SslOptions.builder()
                .trustManager(folder.resolve("ca.pem").toFile())
                .build();
    }

    /** With a key and a certificate, signed by itself, for that name. */
    private static ServerSocketFactory certified(Path folder, String name) throws Exception {
        Path store = Files.createDirectory(folder).resolve("server.p12");
        keytool(
                store,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=redis",
                "-ext",
                "SAN=" + name,
                "-storetype",
                "PKCS12");
        keytool(store, "-exportcert", "-rfc", "-file", folder.resolve("ca.pem").toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context.getServerSocketFactory();
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "redis", "-keystore", store.toString(), "-storepass", PASSWORD));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static String uri(Relay relay) {
        return "rediss://127.0.0.1:" + relay.port();
    }

    @Test
    void aCertificateThatIsHandedInIsTrusted() {
        try (RedisStore store =
                        RedisStore.builder(uri(good)).sslOptions(trustsGood).connect();
                RedisStore plain = RedisStore.connect(server.uri())) {
            Patience.until("the store is used", store.breaker()::allows);
            Steps secure = new Steps(store, "tls");
            Steps open = new Steps(plain, "tls");
            secure.put("key", "value");
            assertThat(open.text("key")).isEqualTo("value");
            Patience.until("announcements come through TLS too", () -> {
                open.put("key", "news");
                return secure.news.heard().contains("stored key");
            });
            assertThat(secure.text("key")).isEqualTo("news");
        }
    }

    @Test
    void aBrokenLineIsMendedByTlsToo() {
        try (RedisStore store =
                RedisStore.builder(uri(good)).sslOptions(trustsGood).connect()) {
            Patience.until("the store is used", store.breaker()::allows);
            good.cut();
            Patience.until("the breaker opens", () -> !store.breaker().allows());
            Patience.until("the store is used again", store.breaker()::allows);
            new Steps(store, "tls").put("mended", "value");
        }
    }

    @Test
    void aCertificateThatNobodyVouchesForIsAnOutageThatSaysSo() {
        assertOutage(RedisStore.builder(uri(good)), good, "unable to find valid certification path");
        assertOutage(RedisStore.builder(uri(misnamed)).sslOptions(trustsGood), misnamed, "PKIX path validation failed");
    }

    @Test
    void aCertificateForAnotherHostIsAnOutageThatSaysSo() {
        assertOutage(
                RedisStore.builder(uri(misnamed)).sslOptions(trustsMisnamed),
                misnamed,
                "No subject alternative names matching IP address 127.0.0.1");
    }

    @Test
    void theNameIsNotCheckedOnRequest() {
        try (RedisStore store = RedisStore.builder(uri(misnamed) + "?verifyPeer=CA")
                .sslOptions(trustsMisnamed)
                .connect()) {
            Patience.until("the store is used", store.breaker()::allows);
        }
    }

    private static void assertOutage(RedisStore.Builder builder, Relay relay, String why) {
        try (Log log = new Log("dev.corral.redis", Level.WARN);
                RedisStore store = builder.connect();
                Shop shop = new Shop(store, "untrusted")) {
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1:" + relay.port() + " cannot be reached", why);
            assertThat(store.breaker().allows()).isFalse();
            assertThat(shop.get("key")).isEqualTo("value of key");
            assertThat(shop.saw(CacheEvent.StoreLost.class)).isTrue();
        }
    }

    @Test
    void optionsForTlsWithoutTlsAreRefused() {
        RedisStore.Builder builder = RedisStore.builder(server.uri()).sslOptions(trustsGood);

        assertThatThrownBy(builder::connect)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sslOptions need a rediss:// URI, got redis://");
    }
}
