package dev.corral.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stampede of docs/architecture.md, in figures: two cores, ten connections, a query of 1.2 seconds. */
class DatabaseTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TRENDING = SECOND * 12 / 10;
    private static final long SMALL = SECOND / 100;

    private final World world = new World(1);
    private final Life shop = new Life("shop");
    private final Database database = new Database(world, 2, 10);
    private final List<Double> trending = new ArrayList<>();
    private final List<Double> unrelated = new ArrayList<>();

    @AfterEach
    void end() {
        world.end();
    }

    private void query(long at, long work, List<Double> times) {
        world.begin(shop, at, () -> {
            long began = world.now();
            try {
                database.query(List.of("row"), work, false);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            times.add((world.now() - began) / 1e9);
        });
    }

    @Test
    void aQueryAloneTakesItsTime() {
        query(0, TRENDING, trending);
        query(SECOND, SMALL, unrelated);
        world.pass(60 * SECOND);
        assertThat(trending).hasSize(1).allSatisfy(time -> assertThat(time).isBetween(1.199, 1.201));
        assertThat(unrelated).hasSize(1).allSatisfy(time -> assertThat(time).isBetween(0.009, 0.011));
    }

    @Test
    void fiftyCopiesTakeTensOfSecondsAndAnUnrelatedQueryWaitsBehindThem() {
        for (int i = 0; i < 50; i++) {
            query(0, TRENDING, trending);
        }
        query(SECOND, SMALL, unrelated);
        world.pass(60 * SECOND);
        assertThat(trending).hasSize(50);
        double last = trending.stream().mapToDouble(time -> time).max().orElse(0);
        double mean = trending.stream().mapToDouble(time -> time).average().orElse(0);
        System.out.printf(
                "50 copies of a 1.2 s query on 2 cores: mean %.1f s, last %.1f s; a 10 ms query beside them: %.1f s%n",
                mean, last, unrelated.get(0));
        assertThat(last).isBetween(29.9, 30.1); // 50 x 1.2 s of work on two cores
        assertThat(mean).isBetween(17.0, 19.0);
        assertThat(unrelated.get(0)).isBetween(22.0, 30.0); // it gets a connection when the last ten have theirs
    }

    @Test
    void aQueryThatIsGivenUpFreesItsConnection() {
        Coroutine[] victim = new Coroutine[1];
        boolean[] interrupted = {false};
        world.begin(shop, 0, () -> {
            victim[0] = Coroutine.current();
            try {
                database.query(List.of("row"), 1_000 * SECOND, false);
            } catch (InterruptedException e) {
                interrupted[0] = true;
            }
        });
        world.at(SECOND, () -> victim[0].interrupt());
        world.pass(2 * SECOND);
        assertThat(interrupted[0]).isTrue();
        assertThat(database.connectionsInUse()).isZero();
    }

    @Test
    void aQuerySeesTheRowAsItWasWhenItGotItsConnection() {
        database.write("row");
        List<Long> seen = new ArrayList<>();
        world.begin(shop, 0, () -> {
            try {
                seen.add(database.query(List.of("row"), TRENDING, false)
                        .versions()
                        .get("row"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        world.at(SECOND, () -> database.write("row"));
        world.pass(5 * SECOND);
        assertThat(seen).containsExactly(1L);
        assertThat(database.version("row")).isEqualTo(2);
    }
}
