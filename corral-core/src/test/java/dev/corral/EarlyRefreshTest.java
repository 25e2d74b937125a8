package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.corral.EarlyRefresh.Measured;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The three policies as functions, and early refresh in the engine. */
class EarlyRefreshTest extends WorldTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static Measured entry(double costSeconds) {
        long cost = (long) (costSeconds * SECOND);
        return new Measured(60 * SECOND, cost, cost, cost / 8, Long.MAX_VALUE);
    }

    @Test
    void xfetchRefreshesWhenCostTimesBetaTimesLogOfDiceReachesTheRemainder() {
        EarlyRefresh policy = EarlyRefresh.xfetch(2);
        long limit = (long) (1.2 * 2 * Math.log(10) * SECOND); // u = 0.1

        assertThat(policy.due(entry(1.2), limit - 1_000, 0.1)).isTrue();
        assertThat(policy.due(entry(1.2), limit + 1_000, 0.1)).isFalse();
    }

    @Test
    void xfetchClipsTheDiceSoThatItsWindowIsBounded() {
        EarlyRefresh policy = EarlyRefresh.xfetch();
        long window = policy.windowNanos(entry(1));

        assertThat(window).isCloseTo((long) (20 * Math.log(2) * SECOND), within(1_000L));
        assertThat(policy.due(entry(1), window - 1_000, 0)).isTrue();
        assertThat(policy.due(entry(1), window + 1_000, 0)).isFalse();
    }

    @Test
    void xfetchNeverRefreshesInTheFirstHalfOfTheTimeToLive() {
        EarlyRefresh policy = EarlyRefresh.xfetch();

        assertThat(policy.windowNanos(entry(10))).isEqualTo(30 * SECOND);
        assertThat(policy.due(entry(10), 30 * SECOND, 0)).isTrue();
        assertThat(policy.due(entry(10), 30 * SECOND + 1, 0)).isFalse();
    }

    /** Without a lease, loads per episode are geometric with mean e^(1/beta); the chance of none is e^(-rate*cost). */
    @Test
    void xfetchMissesAnEpisodeAsOftenAsTheTheorySays() {
        EarlyRefresh policy = EarlyRefresh.xfetch();
        java.util.Random random = new java.util.Random(7);
        double rate = 2;
        int episodes = 20_000;
        int without = 0;
        for (int i = 0; i < episodes; i++) {
            boolean refreshed = false;
            double left = 20;
            while (!refreshed) {
                left += Math.log(1 - random.nextDouble()) / rate; // the next read of a Poisson stream
                if (left <= 0) {
                    break;
                }
                refreshed = policy.due(entry(1), (long) (left * SECOND), random.nextDouble());
            }
            without += refreshed ? 0 : 1;
        }
        assertThat((double) without / episodes).isCloseTo(Math.exp(-rate), within(0.01));
    }

    @Test
    void theAdaptiveWindowIsTheLoadTimeItsVariationAndThreeGaps() {
        EarlyRefresh policy = EarlyRefresh.adaptive();
        Measured busy = new Measured(60 * SECOND, SECOND, SECOND, SECOND / 10, SECOND / 100);
        long window = SECOND + 4 * SECOND / 10 + 3 * SECOND / 100;

        assertThat(policy.due(busy, window, 0.99)).isTrue();
        assertThat(policy.due(busy, window + 1, 0.01)).isFalse();
    }

    @Test
    void theAdaptiveWindowNeverAddsMoreThanAnEighthOfTheTimeToLive() {
        EarlyRefresh policy = EarlyRefresh.adaptive();
        Measured rare = new Measured(80 * SECOND, SECOND, SECOND, 0, Long.MAX_VALUE);

        assertThat(policy.windowNanos(rare))
                .as("it looks at the gaps before it acts on them")
                .isEqualTo(21 * SECOND);
        assertThat(policy.due(rare, 11 * SECOND, 0.5)).isTrue();
        assertThat(policy.due(rare, 11 * SECOND + 1, 0.5)).isFalse();
    }

    @Test
    void theSimpleFormulaIsTheOneOfTheBlogPosts() {
        EarlyRefresh policy = EarlyRefresh.simple(1);
        double chance = Math.exp(-6.0 / (60 - 6 + 1));

        assertThat(policy.due(entry(1), 6 * SECOND, chance - 0.001)).isTrue();
        assertThat(policy.due(entry(1), 6 * SECOND, chance + 0.001)).isFalse();
        long window = policy.windowNanos(entry(1));
        assertThat(policy.due(entry(1), window - SECOND / 100, 0)).isTrue();
        assertThat(policy.due(entry(1), window + SECOND / 100, 0)).isFalse();
    }

    @Test
    void betaMustBePositive() {
        assertThatThrownBy(() -> EarlyRefresh.xfetch(0)).hasMessage("beta must be positive and finite, got 0.0");
        assertThatThrownBy(() -> EarlyRefresh.simple(Double.NaN))
                .hasMessage("beta must be positive and finite, got NaN");
    }

    // ---- in the engine

    @Test
    void anEarlyRefreshReplacesTheValueInTheBackgroundAndNobodyWaits() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        database.row = "v2";
        world.pass(seconds(58.5));
        world.dice(0.01); // ln(100) = 4.6 s before expiry

        Lookup<String> early = cache.lookup("k");

        assertThat(early.value()).isEqualTo("v1");
        assertThat(early.outcome()).isEqualTo(Outcome.FRESH);
        assertThat(early.age()).isEqualTo(seconds(58.5));
        world.pass(seconds(1));
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(2);
        assertThat(cache.stats().refreshes()).isEqualTo(1);
    }

    @Test
    void theDiceSayNoMostOfTheTime() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0.5);

        for (int i = 0; i < 100; i++) {
            cache.get("k");
        }
        world.settle();

        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS A-15: fifty hits inside a slow refresh, on two nodes. */
    @Test
    void oneEarlyRefreshAtATimeInTheCluster() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        world.pass(seconds(58.5));
        world.dice(0.01);
        cache.get("k"); // starts the refresh
        database.meanwhile = () -> {
            for (int i = 0; i < 50; i++) {
                cache.get("k");
                other.get("k");
                world.settle();
            }
        };
        world.pass(seconds(1));

        assertThat(database.count()).isEqualTo(2);
        assertThat(database.most).isEqualTo(1);
        long asked = otherStore.steps().stream().filter("acquire"::equals).count();
        assertThat(asked)
                .as("after a refusal the node waits for the announced end")
                .isEqualTo(1);
    }

    /** FAULTS G-2: a refresh that fails once is tried again after the back-off. */
    @Test
    void aRefreshThatFailedIsTriedAgainAfterTheBackOff() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0);
        database.fails = new IllegalStateException("sick");
        cache.get("k");
        world.pass(seconds(1));
        assertThat(database.count()).isEqualTo(2);

        cache.get("k");
        world.settle();
        assertThat(database.count()).as("still backing off").isEqualTo(2);

        database.fails = null;
        database.row = "v2";
        world.pass(seconds(1.1));
        cache.get("k");
        world.pass(seconds(1));
        assertThat(cache.get("k")).isEqualTo("v2");
        assertThat(database.count()).isEqualTo(3);
    }

    /** FAULTS G-1: an executor that refuses; the value is still served and the refresh comes later. */
    @Test
    void aRefusedRefreshIsCountedAndTriedAgain() {
        database.takes = seconds(1);
        boolean[] refuse = {false};
        Refusing refusing = new Refusing(refuse);
        CacheBuilder<Object, Object> builder = node().executor(refusing);
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.build(database);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0);
        refuse[0] = true;

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.stats().refreshesRefused()).isEqualTo(1);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.RefreshRefused.class);

        refuse[0] = false;
        world.pass(seconds(1.1));
        cache.get("k");
        world.pass(seconds(1));
        assertThat(database.count()).isEqualTo(2);
    }

    /** An executor that can refuse. */
    private final class Refusing implements java.util.concurrent.Executor {
        private final boolean[] refuse;

        Refusing(boolean[] refuse) {
            this.refuse = refuse;
        }

        @Override
        public void execute(Runnable task) {
            if (refuse[0]) {
                throw new java.util.concurrent.RejectedExecutionException("full");
            }
            platform.executor().execute(task);
        }
    }

    @Test
    void aRefreshDoesNotTakeAPermitThatIsNotFree() {
        LoadLimiter limiter = LoadLimiter.of(1);
        Cache<String, String> cache = node().limit(limiter).build(database);
        database.takes = seconds(1);
        cache.get("k");
        world.pass(seconds(50));
        world.dice(0);
        assertThat(limiter.permits.tryAcquire()).isTrue();

        assertThat(cache.get("k")).isEqualTo("v1");

        assertThat(limiter.queued()).isZero();
        assertThat(cache.stats().refreshesRefused()).isEqualTo(1);
        limiter.permits.release();
    }

    @Test
    void theAdaptivePolicyLearnsTheGapBetweenReads() {
        database.takes = seconds(1);
        Cache<String, String> cache =
                node().earlyRefresh(EarlyRefresh.adaptive()).build(database);
        cache.get("k"); // first cost 1 s, variation 0.5 s: window 3 s + gaps
        for (int cycle = 0; cycle < 2; cycle++) {
            // read every 10 ms until the refresh has come
            int before = database.count();
            long born = world.now();
            while (database.count() == before) {
                world.pass(millis(10));
                cache.get("k");
                world.settle();
            }
            if (cycle == 1) {
                Duration age = Duration.ofNanos(world.now() - born);
                assertThat(age).as("late, because the gap is known to be small").isGreaterThan(seconds(56));
            }
        }
    }

    @Test
    void aPutValueHasNoCostAndIsNotRefreshedEarly() {
        Cache<String, String> cache = node().build(database);
        cache.put("k", "put");
        world.pass(seconds(59.9));
        world.dice(0);

        assertThat(cache.get("k")).isEqualTo("put");
        world.settle();
        assertThat(database.count()).isZero();
    }

    @Test
    void withWhenExpiryThereIsNoEarlyRefresh() {
        database.takes = seconds(1);
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY).build(database);
        cache.get("k");
        world.pass(seconds(59));
        world.dice(0);
        cache.get("k");
        world.settle();

        assertThat(database.count()).isEqualTo(1);
    }
}
