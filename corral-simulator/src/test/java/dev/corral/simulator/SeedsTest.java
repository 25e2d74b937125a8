package dev.corral.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.simulator.Simulation.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Seed after seed, on as many threads as there are cores: until the time is over, or the number asked for is reached.
 * {@code -Dseed=N} replays one, {@code -Dseeds=N} and {@code -Dseed.first=N} choose others, {@code -Psoak} goes on for
 * long.
 */
class SeedsTest {
    private static final Duration NORMAL = Duration.ofSeconds(55);
    private static final int MOST_REPORTS = 3;

    private final Simulation simulation = new Simulation();
    private final List<Verdict> broken = new ArrayList<>();
    private final AtomicLong next = new AtomicLong(Long.parseLong(property("seed.first", "1")));

    @Test
    void everyPromiseIsKeptInEverySeed() throws InterruptedException {
        String one = property("seed", "");
        if (!one.isEmpty()) {
            Verdict verdict = Simulation.replay(Long.parseLong(one));
            System.out.println(verdict.report());
            assertThat(verdict.broken()).isEmpty();
            return;
        }
        long began = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(() -> runUntil(began + time().toNanos()), "seeds");
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("simulator: " + simulation.summary(Duration.ofNanos(System.nanoTime() - began)));
        assertThat(broken).as(reports()).isEmpty();
    }

    private void runUntil(long end) {
        long count = Long.parseLong(property("seeds", "0"));
        long last = count > 0 ? Long.parseLong(property("seed.first", "1")) + count : Long.MAX_VALUE;
        while (count > 0 || System.nanoTime() < end) {
            long seed = next.getAndIncrement();
            if (seed >= last) {
                return;
            }
            Verdict verdict = simulation.run(seed);
            if (!verdict.isClean()) {
                synchronized (broken) {
                    broken.add(verdict);
                }
            }
        }
    }

    private String reports() {
        List<String> lines = new ArrayList<>();
        broken.stream().limit(MOST_REPORTS).forEach(verdict -> lines.add(verdict.report()));
        broken.forEach(verdict ->
                lines.add("seed " + verdict.seed() + ": " + verdict.broken().get(0)));
        return String.join("\n", lines);
    }

    private static Duration time() {
        String soak = property("soak.time", "");
        return soak.isEmpty() ? NORMAL : Duration.parse(soak);
    }

    private static String property(String name, String otherwise) {
        String value = System.getProperty(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
