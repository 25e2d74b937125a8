package dev.corral.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many steps are being sent at the moment at which the connection breaks. */
class BrokenConnectionTest {
    private static final int SENDERS = 8;
    private static final int CUTS = 40;
    private static final Duration LONG = Duration.ofSeconds(2);

    private final AtomicInteger answered = new AtomicInteger();
    private final Map<Reason, AtomicInteger> failures = new ConcurrentHashMap<>();
    private volatile boolean running = true;

    /** A command whose write fails just then is one that Lettuce never ends: its caller would wait for the time-out. */
    @Test
    void whatWasUnderWayHasFailedAndIsNotWaitedFor() throws Exception {
        try (TestRedis server = TestRedis.start();
                Relay relay = new Relay(server.port());
                RedisStore store = RedisStore.connect(server.uri(relay))) {
            Steps steps = new Steps(store, "broken", LONG);
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                Thread sender = new Thread(() -> send(store, steps), "sender");
                sender.start();
                senders.add(sender);
            }
            for (int cut = 0; cut < CUTS; cut++) {
                int before = answered.get();
                Patience.until("the store is used", () -> answered.get() > before + 100);
                relay.cutAfter(Relay.Direction.TO_CLIENT, 100 + 13 * cut);
                Patience.until("the connection is cut", relay::hasCut);
                relay.mend();
            }
            running = false;
            for (Thread sender : senders) {
                sender.join();
            }
        }
        assertThat(failures).containsKey(Reason.DISCONNECTED).doesNotContainKey(Reason.TIMEOUT);
    }

    /** Lettuce would, once it is connected again, whatever its replay filter says: by then somebody may have come after. */
    @Test
    void whatWasSentIsNotSentAgain() throws Exception {
        try (TestRedis server = TestRedis.start();
                Relay relay = new Relay(server.port());
                RedisStore broken = RedisStore.connect(server.uri(relay));
                RedisStore store = RedisStore.connect(server.uri())) {
            Steps here = new Steps(broken, "again", LONG);
            Steps there = new Steps(store, "again");
            for (int i = 0; i < 10; i++) {
                there.put("fence", "value");
                here.text("nothing");
                relay.lose(Relay.Direction.TO_SERVER);
                var put = here.region.put("key", Steps.token(), Steps.draft("old"));
                var invalidation = here.region.invalidate(Set.of("fence"));
                relay.cut();
                relay.mend();
                assertThat(Steps.failure(put).reason()).isEqualTo(Reason.DISCONNECTED);
                assertThat(Steps.failure(invalidation).reason()).isEqualTo(Reason.DISCONNECTED);
                Patience.until("the store is used again", broken.breaker()::allows);
                assertThat(here.text("nothing")).isNull(); // answered after whatever was sent again
                assertThat(there.text("key")).isNull();
                assertThat(there.text("fence")).isEqualTo("value");
            }
        }
    }

    private void send(RedisStore store, Steps steps) {
        while (running) {
            Patience.until("the breaker is closed", store.breaker()::allows);
            try {
                steps.region.read("key").toCompletableFuture().join();
                answered.incrementAndGet();
            } catch (CompletionException e) {
                Reason reason = ((StoreException) e.getCause()).reason();
                failures.computeIfAbsent(reason, none -> new AtomicInteger()).incrementAndGet();
            }
        }
    }
}
