package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The near tier: what a hit costs, its bounds, and what happens when announcements stop. */
class NearTest extends WorldTest {

    @Test
    void aNearHitDoesNotTouchTheStore() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        cache.get("k");
        store.steps().clear();

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.lookup("k").source()).isEqualTo(Source.NEAR);

        assertThat(store.steps()).isEmpty();
        assertThat(cache.stats().nearHits()).isEqualTo(2);
    }

    /** Promise 7. */
    @Test
    void aStoreHitIsOneRead() {
        Cache<String, String> cache = node().build(database);
        cache.get("k");
        store.steps().clear();

        assertThat(cache.lookup("k").source()).isEqualTo(Source.STORE);

        assertThat(store.steps()).containsExactly("read");
        assertThat(cache.stats().storeHits()).isEqualTo(1);
    }

    @Test
    void aNearEntryIsReadAnewAfterItsTimeToLive() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        cache.get("k");
        store.steps().clear();
        world.pass(seconds(5).minusNanos(1));
        cache.get("k");
        assertThat(store.steps()).isEmpty();

        world.pass(seconds(0.001));
        cache.get("k");
        assertThat(store.steps()).containsExactly("read");
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void aNearEntryNeverOutlivesItsTimeToLiveInTheStore() {
        Cache<String, String> cache = node().when(Strategy.When.EXPIRY)
                .near(near -> near.maximumSize(10).expireAfter(seconds(600)))
                .build(database);
        cache.get("k");
        database.row = "v2";
        world.pass(TTL.minusNanos(1));
        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(millis(1));
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    @Test
    void theNearTierIsBoundedBySize() {
        Cache<Integer, Integer> cache =
                node().near(near -> near.maximumSize(10)).build(key -> key);
        for (int i = 0; i < 100; i++) {
            cache.get(i);
        }
        world.settle();
        store.steps().clear();
        for (int i = 0; i < 100; i++) {
            cache.get(i);
        }
        assertThat(store.steps()).hasSizeGreaterThanOrEqualTo(90);
    }

    @Test
    void theNearTierIsBoundedByWeight() {
        Cache<Integer, String> cache = node().near(
                        near -> near.maximumWeight(100, (Integer key, String value) -> value.length()))
                .build((Integer key) -> "0123456789");
        for (int i = 0; i < 100; i++) {
            cache.get(i);
        }
        world.settle();
        store.steps().clear();
        for (int i = 0; i < 100; i++) {
            cache.get(i);
        }
        assertThat(store.steps()).hasSizeGreaterThanOrEqualTo(90);
    }

    @Test
    void aWeigherThatThrowsHarmsNobody() {
        Cache<String, String> cache = node().near(near -> near.maximumWeight(100, (String key, String value) -> {
                    throw new IllegalStateException("weigher");
                }))
                .build(database);

        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(cache.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void anotherNodesWriteReachesTheNearTierByAnnouncement() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");

        other.put("k", "put");
        assertThat(cache.get("k")).isEqualTo("put");
        database.row = "v2";
        other.invalidate("k");
        assertThat(cache.get("k")).isEqualTo("v2");
    }

    /** FAULTS F-1, F-5: the subscription is lost. */
    @Test
    void withoutAnnouncementsANearEntryServesUntilItsTimeToLive() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10).expireAfter(seconds(5)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        store.loseSubscription();
        other.put("k", "put");

        world.pass(seconds(4.9));
        assertThat(cache.get("k")).isEqualTo("v1");
        world.pass(seconds(0.1));
        assertThat(cache.get("k")).isEqualTo("put");
        assertThat(cache.stats().channelLosses()).isEqualTo(1);
    }

    @Test
    void theNearTierIsEmptiedWhenAnnouncementsArriveAgain() {
        CacheBuilder<Object, Object> builder = node();
        var events = recordEvents(builder);
        Cache<String, String> cache = builder.near(near -> near.maximumSize(10).expireAfter(seconds(50)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        store.loseSubscription();
        other.put("k", "put");
        assertThat(cache.get("k")).isEqualTo("v1");

        store.subscribe();

        assertThat(cache.get("k")).isEqualTo("put");
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.ChannelLost.class);
        assertThat(events).hasAtLeastOneElementOfType(CacheEvent.ChannelRestored.class);
    }

    /** What was invalidated before the channel was there has been missed too, without an outage to speak of. */
    @Test
    void theFirstSubscriptionEmptiesTheNearTier() {
        CacheBuilder<Object, Object> builder = node();
        var events = recordEvents(builder);
        store.mute(true);
        Cache<String, String> cache = builder.near(near -> near.maximumSize(10).expireAfter(seconds(50)))
                .build(database);
        Cache<String, String> other = otherNode().build(database);
        cache.get("k");
        other.put("k", "put");
        assertThat(cache.get("k")).isEqualTo("v1");

        store.subscribe();

        assertThat(cache.get("k")).isEqualTo("put");
        assertThat(events).doesNotHaveAnyElementsOfTypes(CacheEvent.ChannelRestored.class);
        assertThat(cache.stats().channelLosses()).isZero();
    }

    /** FAULTS A-11: a node that restarts finds the store full. */
    @Test
    void aRestartedNodeReadsTheStoreAndLoadsNothing() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        cache.get("k");
        cache.close();
        Cache<String, String> again =
                otherNode().near(near -> near.maximumSize(10)).build(database);

        assertThat(again.get("k")).isEqualTo("v1");
        assertThat(database.count()).isEqualTo(1);
    }

    @Test
    void knownAbsenceIsANearHitToo() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        database.row = "none";
        cache.get("k");
        store.steps().clear();

        assertThat(cache.get("k")).isNull();
        assertThat(store.steps()).isEmpty();
    }

    /** Two writers of one node: which of them the store took last is not known here, so neither value stays near. */
    @Test
    void ofTwoPutsAtOnceNeitherStaysInTheNearTier() {
        Cache<String, String> cache = node().near(near -> near.maximumSize(10)).build(database);
        store.answerLate(millis(10));
        platform.delays().after(millis(1).toNanos(), () -> cache.put("k", "second"));

        cache.put("k", "first");
        store.answerLate(null);
        world.settle();

        assertThat(cache.get("k")).isEqualTo("second");
    }
}
