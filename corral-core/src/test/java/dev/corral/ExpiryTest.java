package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The time to live is a promise: jitter, entries of their own, known-absent keys. */
class ExpiryTest extends WorldTest {

    @Test
    void anEntryIsServedUntilItsTimeToLiveIsOverAndNotLonger() {
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY).build(database);
        cache.get("k");
        database.row = "v2";

        world.pass(TTL.minusMillis(1));
        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(Duration.ofMillis(1));
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS I-1: keys written together expire apart, and none later than its time to live. */
    @Test
    void jitterSpreadsExpiriesAndOnlyShortens() {
        Cache<Integer, Integer> cache =
                node().when(Strategy.When.EXPIRY).jitter(0.1).build(key -> key);
        for (int i = 0; i < 1_000; i++) {
            cache.get(i);
        }
        world.pass(TTL.multipliedBy(9).dividedBy(10).minusMillis(1));
        assertThat(present(cache)).as("never shortened by more than its share").isEqualTo(1_000);

        int left = 1_000;
        for (int slice = 1; slice <= 10; slice++) {
            world.pass(TTL.dividedBy(100));
            int now = present(cache);
            assertThat(left - now).as("expiries in slice %s", slice).isBetween(50, 150);
            left = now;
        }
        world.pass(Duration.ofMillis(1));
        assertThat(present(cache)).as("never lengthened").isZero();
    }

    private static int present(Cache<Integer, Integer> cache) {
        int found = 0;
        for (int i = 0; i < 1_000; i++) {
            found += cache.getIfPresent(i) == null ? 0 : 1;
        }
        return found;
    }

    @Test
    void jitterIsOnByDefault() {
        Cache<Integer, Integer> cache = Corral.newBuilder("c")
                .platform(platform)
                .expireAfterWrite(TTL)
                .when(Strategy.When.EXPIRY)
                .build(key -> key);
        Set<Boolean> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            cache.get(i);
        }
        world.pass(TTL.multipliedBy(95).dividedBy(100));
        for (int i = 0; i < 100; i++) {
            seen.add(cache.getIfPresent(i) == null);
        }
        assertThat(seen).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void anEntryCanHaveATimeToLiveOfItsOwn() {
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY)
                .expireAfter((String key, String value) -> key.equals("short") ? seconds(1) : seconds(100))
                .build(database);
        cache.get("short");
        cache.get("long");

        world.pass(seconds(2));
        assertThat(cache.getIfPresent("short")).isNull();
        world.pass(seconds(90));
        assertThat(cache.getIfPresent("long")).isEqualTo("v1");
    }

    @Test
    void aValueWithNoTimeToLiveIsServedButNotStored() {
        Cache<String, String> cache =
                node().expireAfter((String key, String value) -> Duration.ZERO).build(database);

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(2);
    }

    /** FAULTS C-13: null twice for the same key. */
    @Test
    void nullIsKnownAbsentForItsOwnShorterTime() {
        Cache<String, String> cache = node().expireAbsentAfterWrite(seconds(5)).build(database);
        database.row = "none";

        assertThat(cache.get("k")).isNull();
        Lookup<String> again = cache.lookup("k");
        assertThat(again.isKnownAbsent()).isTrue();
        assertThat(again.outcome()).isEqualTo(Outcome.FRESH);
        assertThat(database.count()).isEqualTo(1);

        database.row = "v1";
        world.pass(seconds(5));
        assertThat(cache.get("k")).isEqualTo("v1");
    }

    @Test
    void knownAbsentKeysLiveThirtySecondsByDefault() {
        Cache<String, String> cache = node().build(database);
        database.row = "none";
        cache.get("k");

        world.pass(seconds(29.9));
        cache.get("k");
        assertThat(database.count()).isEqualTo(1);
        world.pass(seconds(0.1));
        cache.get("k");
        assertThat(database.count()).isEqualTo(2);
    }

    /** Known absence has no stale window, in the near tier as little as in the store. */
    @Test
    void knownAbsenceIsNotServedStale() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(60)))
                .expireAbsentAfterWrite(seconds(1))
                .serveStaleWhileRefreshing(seconds(30))
                .build(database);
        database.row = "none";
        cache.get("k");
        database.row = "v1";
        world.pass(seconds(2));

        assertThat(cache.get("k")).isEqualTo("v1");
    }

    @Test
    void absenceIsNotRememberedWhenSwitchedOff() {
        Cache<String, String> cache = node().doNotCacheAbsent().build(database);
        database.row = "none";

        assertThat(cache.get("k")).isNull();
        assertThat(cache.get("k")).isNull();
        assertThat(database.count()).isEqualTo(2);
    }

    @Test
    void puttingNullMakesTheKeyKnownAbsent() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");

        cache.put("k", null);

        assertThat(cache.get("k")).isNull();
        assertThat(database.count()).isEqualTo(1);
    }

    /** FAULTS G-14: one table of the timers. */
    @Test
    void readingDoesNotProlongAnEntry() {
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY).build(database);
        cache.get("k");
        for (int i = 0; i < 59; i++) {
            world.pass(seconds(1));
            cache.get("k");
        }
        assertThat(database.count()).isEqualTo(1);
        world.pass(seconds(1));
        cache.get("k");
        assertThat(database.count()).isEqualTo(2);
    }
}
