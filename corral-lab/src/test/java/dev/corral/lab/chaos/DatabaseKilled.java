package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.LoadFailedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** PostgreSQL ends at once and is started again, while keys expire that may be served stale, and one is cold. */
final class DatabaseKilled implements Fault {
    private static final int WARM = 4;

    @Override
    public String name() {
        return "PostgreSQL is killed under load and started again (immediate shutdown)";
    }

    @Override
    public String promise() {
        return "stale values until their window ends, then the load's error, at once; tries back off in the whole"
                + " cluster; fresh again soon after";
    }

    @Override
    public Evidence strike(Rig rig, String keys, Random random) {
        String mine = NodeSettings.BRIEF + "-" + keys;
        String warm = mine + "warm";
        String cold = mine + "cold";
        rig.traffic(warm, WARM, rig.a(), rig.b());
        long struck = System.nanoTime();
        long before = attempts(rig, warm, cold);
        rig.database.kill();
        long gone = System.nanoTime();
        for (Node node : rig.nodes()) {
            assertThat(rig.read(node, cold, Rig.FEW)).allMatch(Call::failed);
        }
        for (Node node : rig.nodes()) {
            rig.history.await(
                    "the stale windows end",
                    1,
                    call -> call.failed()
                            && call.key().startsWith(warm)
                            && call.node().equals(node.name));
        }
        long tried = attempts(rig, warm, cold) - before;
        Duration away = Duration.ofNanos(System.nanoTime() - struck);
        rig.database.start();
        rig.ledger.reconnect();
        long back = System.nanoTime();
        List<LoadRow> last = lastLoads(rig, warm, gone);
        for (Node node : rig.nodes()) {
            for (LoadRow load : last) {
                rig.history.await(
                        node + " has a new value of " + load.key(),
                        1,
                        call -> call.node().equals(node.name)
                                && call.key().equals(load.key())
                                && call.load() > load.id());
            }
        }
        assertThat(Duration.ofNanos(System.nanoTime() - back))
                .as("fresh again")
                .isLessThanOrEqualTo(
                        NodeSettings.MOST_BACK_OFF.plus(NodeSettings.QUERY).plus(NodeSettings.MACHINE));
        rig.quiet();
        return judge(
                rig.history.of(mine),
                warm,
                struck,
                last,
                LoadRow.longest(rig.ledger.loads(mine)),
                tried,
                (WARM + 1) * triesIn(away));
    }

    private Evidence judge(
            Account account,
            String warm,
            long struck,
            List<LoadRow> last,
            Duration longest,
            long tried,
            long triesAllowed) {
        assertThat(tried).as("loads tried").isLessThanOrEqualTo(triesAllowed);
        assertThat(account.errors())
                .allSatisfy(call -> assertThat(call.error()).isEqualTo(LoadFailedException.class.getSimpleName()));
        for (LoadRow load : last) {
            assertThat(account.errors().stream().filter(call -> call.key().equals(load.key())))
                    .as("no error while there is something stale to be had")
                    .allMatch(call -> call.ended() - load.ended() >= NodeSettings.BRIEF_STALE.toNanos());
        }
        Duration wait = account.worstWait(struck);
        assertThat(wait).isLessThanOrEqualTo(longest.plus(NodeSettings.MACHINE));
        Duration age = oldest(account.only(call -> call.key().startsWith(warm) && !call.failed()));
        Duration ageAllowed = NodeSettings.BRIEF_TTL.plus(NodeSettings.BRIEF_STALE);
        assertThat(age).as("age of what was served").isLessThanOrEqualTo(ageAllowed);
        return new Evidence(
                name(),
                promise(),
                tried,
                triesAllowed,
                account.errors().size(),
                "all of failed loads",
                wait,
                longest,
                age,
                ageAllowed);
    }

    /** The age of a value when a read of it began, from when somebody first had it: then it had been written. */
    private static Duration oldest(Account account) {
        Map<Long, Long> firstSeen = new HashMap<>();
        account.calls().forEach(call -> firstSeen.merge(call.load(), call.ended(), Math::min));
        return Duration.ofNanos(account.calls().stream()
                .mapToLong(call -> call.began() - firstSeen.get(call.load()))
                .max()
                .orElse(0));
    }

    /** Redis counts them: the database cannot. */
    private static long attempts(Rig rig, String warm, String cold) {
        long sum = rig.redis.counter(Source.ATTEMPTS + cold);
        for (int i = 0; i < WARM; i++) {
            sum += rig.redis.counter(Source.ATTEMPTS + warm + i);
        }
        return sum;
    }

    /** Of each key, the last that had ended by then. */
    private static List<LoadRow> lastLoads(Rig rig, String warm, long gone) {
        Map<String, LoadRow> last = new HashMap<>();
        rig.ledger.loads(warm).stream()
                .filter(load -> load.ended() > 0 && load.ended() < gone)
                .forEach(load -> last.put(load.key(), load));
        assertThat(last).hasSize(WARM);
        return List.copyOf(last.values());
    }

    /** How often one key may be tried: one that was under way, one at once, and one after each back-off. */
    private static long triesIn(Duration time) {
        long tries = 2;
        Duration backOff = NodeSettings.BACK_OFF;
        for (Duration next = backOff; next.compareTo(time) <= 0; next = next.plus(backOff)) {
            tries++;
            Duration doubled = backOff.multipliedBy(2);
            backOff = doubled.compareTo(NodeSettings.MOST_BACK_OFF) < 0 ? doubled : NodeSettings.MOST_BACK_OFF;
        }
        return tries;
    }
}
