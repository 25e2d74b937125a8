package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** {@code getAll}, with and without a bulk loader. */
class BulkTest extends WorldTest {
    private final List<Set<String>> bulks = new ArrayList<>();
    private Runnable meanwhile = () -> {};

    private Map<String, String> loadAll(Set<String> keys) {
        bulks.add(new TreeSet<>(keys));
        Map<String, String> rows = new HashMap<>();
        keys.forEach(key -> rows.put(key, key + "-" + database.row));
        Runnable now = meanwhile;
        meanwhile = () -> {};
        world.elsewhere(now);
        world.pass(database.takes);
        if (database.fails instanceof RuntimeException failure) {
            throw failure;
        }
        return rows;
    }

    private Cache<String, String> bulkCache() {
        return node().bulkLoader(this::loadAll).build(database);
    }

    @Test
    void missingKeysAreReadInOneBatchAndLoadedInOneCall() {
        Cache<String, String> cache = bulkCache();
        cache.put("a", "put");
        store.steps().clear();

        Map<String, String> values = cache.getAll(List.of("a", "b", "c", "b"));

        assertThat(values).isEqualTo(Map.of("a", "put", "b", "b-v1", "c", "c-v1"));
        assertThat(bulks).containsExactly(new TreeSet<>(Set.of("b", "c")));
        assertThat(store.steps()).filteredOn("read"::equals).hasSize(1);
        assertThat(cache.getAll(List.of("b", "c"))).hasSize(2);
        assertThat(bulks).hasSize(1);
        assertThat(cache.stats().loads()).isEqualTo(1);
    }

    @Test
    void keysThatAreMissingInTheResultAreKnownAbsent() {
        Cache<String, String> cache =
                node().bulkLoader((Set<String> keys) -> Map.of("a", "1")).build(database);

        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "1"));
        assertThat(cache.get("b")).isNull();
        assertThat(database.count()).isZero();
    }

    /** The keys whose lease was won are loaded and committed before the others are waited for. */
    @Test
    void wonKeysAreCommittedBeforeTheOthersAreWaitedFor() {
        hold("slow", seconds(3));
        Cache<String, String> cache = bulkCache();
        Cache<String, String> other = otherNode().build(database);
        List<String> seen = new ArrayList<>();
        platform.delays().after(seconds(1).toNanos(), () -> seen.add(String.valueOf(other.getIfPresent("b"))));

        assertThat(cache.getAll(List.of("slow", "b"))).isEqualTo(Map.of("slow", "v1", "b", "b-v1"));

        assertThat(seen)
                .as("one second in, while slow was still being waited for")
                .containsExactly("b-v1");
        assertThat(bulks).containsExactly(Set.of("b"));
        assertThat(database.queries).containsExactly("slow");
    }

    @Test
    void aKeyThatIsBeingLoadedHereIsJoined() {
        Cache<String, String> cache = bulkCache();
        database.takes = seconds(1);
        List<Map<String, String>> answers = new ArrayList<>();
        CompletableFuture<String> single = cache.getAsync("a");
        database.meanwhile = () -> {
            database.takes = seconds(0);
            answers.add(cache.getAll(List.of("b")));
        };
        world.pass(seconds(2));

        assertThat(single).isCompletedWithValue("v1");
        assertThat(answers).containsExactly(Map.of("b", "b-v1"));
        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "v1", "b", "b-v1"));
    }

    @Test
    void aFailedBulkLoadFailsItsCallersAndBacksOffForEachKey() {
        Cache<String, String> cache = bulkCache();
        database.fails = new IllegalStateException("sick");

        assertThatThrownBy(() -> cache.getAll(List.of("a", "b"))).hasMessage("sick");
        database.fails = null;
        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(LoadFailedException.class);
        world.pass(seconds(1));
        assertThat(cache.get("a")).isEqualTo("v1");
    }

    @Test
    void aBulkLoaderThatReturnsNullIsAFailure() {
        Cache<String, String> cache =
                node().bulkLoader((Set<String> keys) -> null).build(database);

        assertThatThrownBy(() -> cache.getAll(List.of("a")))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("the bulk loader returned null");
    }

    @Test
    void withoutABulkLoaderKeysAreLoadedOneByOne() {
        Cache<String, String> cache = node().build(database);

        assertThat(cache.getAll(List.of("a", "b"))).isEqualTo(Map.of("a", "v1", "b", "v1"));
        assertThat(database.queries).containsExactly("a", "b");
    }

    /** A load's time counts from when it begins, not from when its turn was due. */
    @Test
    void keysThatWaitForTheirTurnAreNotOverdue() {
        Cache<String, String> cache = node().maximumLoadTime(seconds(5)).build(database);
        database.takes = seconds(2);

        assertThat(cache.getAll(List.of("a", "b", "c", "d", "e"))).hasSize(5);
        assertThat(cache.stats().loadsOverdue()).isZero();
    }

    @Test
    void withoutTheStoreTheBulkLoaderIsStillCalledOnce() {
        Cache<String, String> cache = bulkCache();
        store.become(FlakyStore.State.DOWN);

        assertThat(cache.getAll(List.of("a", "b", "c"))).hasSize(3);
        assertThat(bulks).hasSize(1);
    }

    @Test
    void nearHitsAreNotReadFromTheStore() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10))
                .bulkLoader(this::loadAll)
                .build(database);
        cache.getAll(List.of("a", "b"));
        store.steps().clear();

        assertThat(cache.getAll(List.of("a", "b"))).hasSize(2);
        assertThat(store.steps()).isEmpty();
    }

    @Test
    void noKeysNoQuestions() {
        Cache<String, String> cache = bulkCache();

        assertThat(cache.getAll(List.of())).isEmpty();
        assertThat(store.steps()).isEmpty();
    }

    @Test
    void aLoaderThatReadsItsOwnKeyInBulkIsToldTheCycle() {
        List<Cache<String, String>> self = new ArrayList<>();
        Cache<String, String> cache = node().build(
                        (String key) -> self.get(0).getAll(List.of("x", key)).get(key));
        self.add(cache);

        assertThatThrownBy(() -> cache.get("a")).isInstanceOf(RecursiveLoadException.class);
        world.settle();
        assertThat(cache.stats().loadsRunning()).isZero();
    }
}
