package dev.corral.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the checker bites: each deliberate defect is found within the first seeds of a normal build. */
class MutationsTest {
    private static final int MOST_SEEDS = 1_200;
    private static final Path SOURCES = Path.of("..", "corral-core", "src", "main", "java");

    @TempDir
    Path folder;

    private record Found(Mutation mutation, long seed, String broken) {}

    @Test
    void eachDefectIsFound() throws Exception {
        List<Mutation> mutations = Mutation.all();
        assertThat(mutations).hasSizeGreaterThanOrEqualTo(12);
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Callable<Found>> tasks = new ArrayList<>();
            for (int i = 0; i < mutations.size(); i++) {
                Mutation mutation = mutations.get(i);
                Path own = folder.resolve("mutation" + i);
                tasks.add(() -> hunt(mutation, own));
            }
            List<Found> all = new ArrayList<>();
            for (Future<Found> found : threads.invokeAll(tasks)) {
                all.add(found.get());
            }
            all.forEach(found -> System.out.printf(
                    "%-60s %-17s seed %4d: %s%n",
                    found.mutation.what(), Path.of(found.mutation.source()).getFileName(), found.seed, found.broken));
            assertThat(all).as("defects not found in %s seeds", MOST_SEEDS).allMatch(found -> found.seed > 0);
        } finally {
            threads.shutdown();
        }
    }

    private static Found hunt(Mutation mutation, Path own) throws Exception {
        mutation.compile(SOURCES, own);
        try (URLClassLoader classes = Mutation.classes(own)) {
            Class<?> type = classes.loadClass(Simulation.class.getName());
            Object simulation = type.getConstructor().newInstance();
            Method run = type.getMethod("firstBroken", long.class);
            for (long seed = 1; seed <= MOST_SEEDS; seed++) {
                if (!Scenario.draw(seed).faults().containsAll(mutation.needs())) {
                    continue;
                }
                String broken = (String) run.invoke(simulation, seed);
                if (!broken.isEmpty()) {
                    return new Found(mutation, seed, broken);
                }
            }
            return new Found(mutation, -1, "NOT FOUND");
        }
    }
}
