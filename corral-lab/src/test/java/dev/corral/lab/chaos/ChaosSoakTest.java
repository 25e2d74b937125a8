package dev.corral.lab.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Faults drawn by a seed, for as long as asked: {@code -Psoak -Dsoak.time=PT10M}, {@code -Dseed=N} for others. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes are stopped and found by way of /proc")
@EnabledIfSystemProperty(named = "soak.time", matches = "P.+", disabledReason = "only in the profile soak")
class ChaosSoakTest {

    @Test
    void thePromisesAreKeptForAsLongAsAsked() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        long end = System.nanoTime()
                + Duration.parse(System.getProperty("soak.time")).toNanos();
        System.out.println("chaos: -Dseed=" + seed);
        Random random = new Random(seed);
        List<Fault> faults = Fault.all();
        int strikes = 0;
        try (Chaos chaos = new Chaos(random)) {
            while (System.nanoTime() < end) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                strikes++;
                try {
                    chaos.strike(fault);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "strike " + strikes + " of seed " + seed + ": "
                                    + fault.getClass().getSimpleName(),
                            e);
                }
            }
        }
        System.out.println("chaos: " + strikes + " faults, all promises kept");
    }
}
