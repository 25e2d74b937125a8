package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Real processes, killed, stopped and cut off from each other, and the promises counted from the database and Redis.
 * {@code -Dchaos.table=docs/reliability.md} writes what was measured into that page.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are stopped and found by way of /proc")
class ChaosTest {
    private static final Map<String, Evidence> EVIDENCE = new ConcurrentHashMap<>();

    private static Chaos chaos;

    @BeforeAll
    static void start() throws IOException {
        chaos = new Chaos(new Random(1));
    }

    @AfterAll
    static void stop() throws IOException {
        String measuredOn = chaos == null ? "" : chaos.machine();
        if (chaos != null) {
            chaos.close();
        }
        String page = System.getProperty("chaos.table", "");
        if (!page.isEmpty() && EVIDENCE.size() == Fault.all().size()) {
            List<Evidence> evidence = Fault.all().stream()
                    .map(fault -> EVIDENCE.get(fault.name()))
                    .toList();
            new EvidenceTable(Path.of("..").resolve(page)).write(measuredOn, evidence);
        }
    }

    private static void strike(Fault fault) {
        Evidence evidence = chaos.strike(fault);
        EVIDENCE.put(fault.name(), evidence);
    }

    @Test
    void aKilledLeaderCostsOneLoad() {
        strike(new LeaderKilled());
    }

    @Test
    void aLeaderThatWasStoppedBeyondItsLeaseComesTooLate() {
        strike(new LeaderPaused());
    }

    @Test
    void aFrozenRedisCostsTwoTimeOuts() {
        strike(new RedisFrozen());
    }

    @Test
    void aKilledRedisCostsNobodyAnError() {
        strike(new RedisKilled());
    }

    @Test
    void aFlushedRedisCostsOneLoadForEachKey() {
        strike(new RedisFlushed());
    }

    @Test
    void aRedisThatEvictsCostsWhatItEvicts() {
        strike(new RedisEvicting());
    }

    @Test
    void aSlowNetworkCostsNoLoad() {
        strike(new NetworkSlow());
    }

    @Test
    void aNodeThatIsCutOffLoadsForItself() {
        strike(new NetworkLosing());
    }

    @Test
    void aConnectionMayBreakAtAnyByte() {
        strike(new NetworkCut());
    }

    @Test
    void aKilledDatabaseIsNotStampeded() {
        strike(new DatabaseKilled());
    }

    /** So that the list, from which the soak draws and the page is made, has no fault that is not tested here. */
    @Test
    void eachFaultHasItsTest() {
        long tests = Stream.of(ChaosTest.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .count();
        assertThat(Fault.all()).hasSize((int) tests - 1);
    }
}
