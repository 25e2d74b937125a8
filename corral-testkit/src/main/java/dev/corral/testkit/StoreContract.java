package dev.corral.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.KeyCodec;
import dev.corral.spi.Acquisition;
import dev.corral.spi.Acquisition.BackingOff;
import dev.corral.spi.Acquisition.Busy;
import dev.corral.spi.Acquisition.Fresh;
import dev.corral.spi.Acquisition.Granted;
import dev.corral.spi.Committed;
import dev.corral.spi.Cost;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.Store;
import dev.corral.spi.StoredEntry;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store promises, step by step, with the races next to each step. A subclass says how to get at the store;
 * each test runs on a cache of its own name, seen by two nodes.
 */
public abstract class StoreContract {
    /** Long enough not to end during a test. */
    private static final Duration LONG = Duration.ofSeconds(60);
    /** Short enough to wait for. */
    private static final Duration SHORT = Duration.ofMillis(120);

    private static final Cost COST = new Cost(7_000_000, 6_000_000, 500_000);

    private final List<Region<String>> opened = new ArrayList<>();
    private String name = "";
    private HeardNews news = new HeardNews();
    private HeardNews otherNews = new HeardNews();
    private @Nullable Region<String> first;
    private @Nullable Region<String> second;

    /** For subclasses. */
    protected StoreContract() {}

    /** One node's store; the same for all tests. */
    protected abstract Store store();

    /** Another node's store on the same data; the same for all tests. */
    protected abstract Store otherStore();

    /** Lets time pass by the store's clock. */
    protected abstract void pass(Duration time);

    /** Waits until something that other threads bring about is so; within 10 seconds. */
    protected void eventually(BooleanSupplier state) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited 10 s for %s", state).isLessThan(giveUp);
            Thread.onSpinWait();
        }
    }

    /** Opens the region on both nodes, with ears that are known to hear. */
    @BeforeEach
    void open() {
        name = "contract-" + UUID.randomUUID();
        first = region(store(), news);
        second = region(otherStore(), otherNews);
        // A subscription takes its time; what is announced before is nobody's loss but the test's.
        eventually(() -> {
            await(one().invalidate(List.of("ear")));
            await(two().invalidate(List.of("ear")));
            return !news.heard().isEmpty() && !otherNews.heard().isEmpty();
        });
    }

    /** Closes the regions. */
    @AfterEach
    void close() {
        opened.forEach(Region::close);
    }

    private Region<String> region(Store store, HeardNews listener) {
        Region<String> region = store.open(
                new RegionSettings<>(name, KeyCodec.of(String.class), 1, LONG, Duration.ofSeconds(5)), listener);
        opened.add(region);
        return region;
    }

    private Region<String> one() {
        return present(first);
    }

    private Region<String> two() {
        return present(second);
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new AssertionError("nothing there");
        }
        return value;
    }

    // ---- what tests say

    private static <T extends @Nullable Object> T await(CompletionStage<T> step) {
        try {
            return step.toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw new AssertionError("the step failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the step was not answered", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Token token() {
        return new Token(
                ThreadLocalRandom.current().nextLong(),
                ThreadLocalRandom.current().nextLong());
    }

    private Draft draft(String value) {
        return draft(value, LONG, Duration.ZERO);
    }

    private Draft draft(@Nullable String value, Duration freshFor, Duration staleFor) {
        return new Draft(value == null ? null : value.getBytes(StandardCharsets.UTF_8), freshFor, staleFor, COST);
    }

    private static String text(StoredEntry entry) {
        return new String((byte[]) present(entry.payload()), StandardCharsets.UTF_8);
    }

    private static @Nullable String value(Region<String> region, String key) {
        return await(region.read(key)) instanceof Reading.Found found ? text(found.entry()) : null;
    }

    private static Grant grant(Region<String> region, String key) {
        return grant(region, key, LONG, null);
    }

    private static Grant grant(Region<String> region, String key, Duration lease, @Nullable Token known) {
        Acquisition answer = await(region.acquire(key, token(), lease, known));
        assertThat(answer).isInstanceOf(Granted.class);
        return ((Granted) answer).grant();
    }

    private static Acquisition ask(Region<String> region, String key) {
        return await(region.acquire(key, token(), LONG, null));
    }

    private static StoredEntry entry(Region<String> region, String key) {
        return ((Reading.Found) await(region.read(key))).entry();
    }

    // ---- reading

    @Test
    void whatWasNeverStoredIsMissing() {
        assertThat(await(one().read("k"))).isEqualTo(new Reading.Missing());
    }

    @Test
    void aPutIsReadOnAllNodesWithItsTimesCostAndId() {
        Token id = token();
        await(one().put("k", id, draft("v", Duration.ofSeconds(5), Duration.ofSeconds(3))));

        for (Region<String> region : List.of(one(), two())) {
            StoredEntry entry = entry(region, "k");
            assertThat(text(entry)).isEqualTo("v");
            assertThat(entry.commitId()).isEqualTo(id);
            assertThat(entry.cost()).isEqualTo(COST);
            assertThat(entry.softExpiry() - entry.writtenAt()).isEqualTo(5_000);
            assertThat(entry.hardExpiry() - entry.softExpiry()).isEqualTo(3_000);
        }
    }

    @Test
    void theClockKnowsWhenAnEntryWasWritten() {
        long before = one().clock().latestMillis(System.nanoTime());
        await(one().put("k", token(), draft("v")));
        StoredEntry entry = entry(one(), "k");

        assertThat(one().clock().errorNanos()).isNotNegative().isLessThan(TimeUnit.SECONDS.toNanos(5));
        assertThat(one().clock().latestNanoTime(entry.writtenAt()))
                .isGreaterThanOrEqualTo(one().clock().earliestNanoTime(entry.writtenAt()));
        assertThat(before).isNotZero();
    }

    @Test
    void manyKeysAreReadAtOnce() {
        await(one().put("a", token(), draft("1")));
        await(one().put("b", token(), draft("2")));

        Map<String, Reading> readings = await(two().readAll(List.of("a", "b", "c")));

        assertThat(readings).hasSize(3);
        assertThat(text(((Reading.Found) present(readings.get("a"))).entry())).isEqualTo("1");
        assertThat(text(((Reading.Found) present(readings.get("b"))).entry())).isEqualTo("2");
        assertThat(readings.get("c")).isEqualTo(new Reading.Missing());
    }

    @Test
    void knownAbsenceIsAnEntryWithoutAPayload() {
        await(one().put("k", token(), draft(null, LONG, Duration.ZERO)));

        assertThat(entry(two(), "k").payload()).isNull();
    }

    @Test
    void anEmptyValueIsNotAbsence() {
        await(one().put("k", token(), draft("")));

        assertThat(value(two(), "k")).isEmpty();
    }

    @Test
    void aHugeValueComesBackWhole() {
        String huge = "0123456789".repeat(500_000);
        Grant grant = grant(one(), "k");
        assertThat(await(one().commit("k", grant, draft(huge)))).isEqualTo(Committed.STORED);

        assertThat(value(two(), "k")).isEqualTo(huge);
        assertThat(ask(two(), "k"))
                .isInstanceOfSatisfying(
                        Fresh.class, fresh -> assertThat(text(fresh.entry())).isEqualTo(huge));
    }

    @Test
    void keysMayBeAnything() {
        List<String> keys = List.of(
                "",
                " ",
                "{",
                "}",
                "{}",
                "a{b}c",
                "{other}",
                "}{",
                "\u0000\r\n",
                "ключ 鍵 🔑",
                "k".repeat(100_000),
                "*",
                "a:b");
        for (String key : keys) {
            Grant grant = grant(one(), key);
            assertThat(await(one().commit(key, grant, draft("value of " + key))))
                    .isEqualTo(Committed.STORED);
        }
        Map<String, Reading> readings = await(two().readAll(keys));
        for (String key : keys) {
            assertThat(text(((Reading.Found) present(readings.get(key))).entry()))
                    .isEqualTo("value of " + key);
        }
        await(two().invalidate(keys));
        for (String key : keys) {
            assertThat(value(one(), key)).isNull();
        }
    }

    @Test
    void anEntryIsGoneAfterItsHardExpiry() {
        await(one().put("k", token(), draft("v", SHORT, SHORT)));
        assertThat(value(one(), "k")).isEqualTo("v");
        pass(SHORT.multipliedBy(2));

        eventually(() -> value(one(), "k") == null);
    }

    // ---- acquire

    @Test
    void theFirstToAskIsGranted() {
        Grant grant = grant(one(), "k");

        assertThat(grant.failures()).isZero();
    }

    @Test
    void theSecondIsToldHowLongTheLeaseLasts() {
        grant(one(), "k", Duration.ofSeconds(10), null);

        assertThat(ask(two(), "k"))
                .isInstanceOfSatisfying(
                        Busy.class,
                        busy -> assertThat(busy.leftNanos())
                                .isBetween(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(10)));
    }

    @Test
    void askingAgainWithTheSameTokenGivesTheSameGrant() {
        Token token = token();
        Acquisition once = await(one().acquire("k", token, LONG, null));

        assertThat(await(one().acquire("k", token, LONG, null))).isEqualTo(once);
    }

    /** FAULTS B-3: asked at the same instant by many. */
    @Test
    void askingAgainGivesTheSameGrantThoughAnotherLoadBeganInBetween() {
        Grant leased = grant(one(), "k");
        assertThat(grant(two(), "k", Duration.ZERO, null).order()).isEqualTo(2);

        assertThat(await(one().acquire("k", leased.token(), LONG, null))).isEqualTo(new Granted(leased));
    }

    @Test
    void aFailureAfterALaterBegunLoadHasStoredLeavesNoMarker() {
        Grant early = grant(one(), "k", Duration.ZERO, null);
        Grant later = grant(two(), "k", Duration.ZERO, null);
        await(two().commit("k", later, draft("new")));

        await(one().fail("k", early, LONG, "late"));

        assertThat(grant(two(), "k", LONG, later.token()).failures()).isZero();
    }

    @Test
    void aPutThatIsFreshForNoTimeLeavesTheKeyWithoutAValue() {
        await(one().put("k", token(), draft("old")));
        await(one().put("k", token(), draft("new", Duration.ZERO, Duration.ZERO)));

        assertThat(await(two().read("k"))).isEqualTo(new Reading.Missing());
    }

    @Test
    void readingNothingFindsNothing() {
        assertThat(await(one().readAll(Set.of()))).isEmpty();
    }

    @Test
    void ofManyWhoAskAtOnceOneIsGranted() throws Exception {
        List<Acquisition> answers =
                race(32, () -> ask(ThreadLocalRandom.current().nextBoolean() ? one() : two(), "k"));

        assertThat(answers).filteredOn(Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Busy.class::isInstance).hasSize(31);
    }

    /** FAULTS B-3: given up while a hundred ask. */
    @Test
    void aLeaseThatIsGivenUpWhileManyAskHasOneNextOwner() throws Exception {
        Grant grant = grant(one(), "k");
        List<Acquisition> answers = race(32, () -> {
            Acquisition answer = ask(two(), "k");
            await(one().fail("k", grant, Duration.ZERO, "given up"));
            return answer instanceof Granted ? answer : ask(two(), "k");
        });

        assertThat(answers).filteredOn(Granted.class::isInstance).hasSize(1);
    }

    @Test
    void aFreshEntryIsHandedOver() {
        await(one().commit("k", grant(one(), "k"), draft("v")));

        assertThat(ask(two(), "k"))
                .isInstanceOfSatisfying(
                        Fresh.class, fresh -> assertThat(text(fresh.entry())).isEqualTo("v"));
    }

    @Test
    void theKnownEntryIsNotHandedOverAgain() {
        await(one().commit("k", grant(one(), "k"), draft("v1")));
        Token known = entry(two(), "k").commitId();
        Grant again = grant(two(), "k", LONG, known);

        assertThat(await(two().commit("k", again, draft("v2")))).isEqualTo(Committed.STORED);
        assertThat(await(one().acquire("k", token(), LONG, known)))
                .as("somebody else has committed meanwhile")
                .isInstanceOf(Fresh.class);
    }

    @Test
    void aStaleEntryIsNotHandedOver() {
        await(one().put("k", token(), draft("v", SHORT, LONG)));
        pass(SHORT);

        eventually(() -> ask(one(), "k") instanceof Granted);
        assertThat(value(one(), "k")).as("it can still be read").isEqualTo("v");
    }

    /** FAULTS B-1: the owner is never heard of again. */
    @Test
    void aLeaseEndsByItself() {
        grant(one(), "k", SHORT, null);
        assertThat(ask(two(), "k")).isInstanceOf(Busy.class);
        pass(SHORT);

        eventually(() -> ask(two(), "k") instanceof Granted);
    }

    /** A server that failed over may have forgotten an order and given it out again. */
    @Test
    void aCommitIsTakenForARepetitionByItsTokenNotByItsOrder() {
        Grant first = grant(one(), "k");
        await(one().commit("k", first, draft("v1")));
        Grant twin = new Grant(token(), first.epoch(), first.order(), 0);

        assertThat(await(two().commit("k", twin, draft("v2")))).isEqualTo(Committed.STORED);
        assertThat(value(one(), "k")).isEqualTo("v2");
    }

    /** An owner that asks again, because its answer was lost or its load had to wait, relies on the lease from then on. */
    @Test
    void anOwnerThatAsksAgainGetsTheSameGrantForAsLongAsIfItWereNew() {
        Token owner = token();
        Acquisition first = await(one().acquire("k", owner, SHORT, null));
        Acquisition second = await(one().acquire("k", owner, LONG, null));
        pass(SHORT);
        pass(SHORT);

        assertThat(second).isEqualTo(first);
        assertThat(ask(two(), "k")).isInstanceOf(Busy.class);
    }

    @Test
    void loadsOfOneEpochAreCountedInTheOrderTheyBegan() {
        Grant early = grant(one(), "k");
        await(one().fail("k", early, Duration.ZERO, ""));
        Grant late = grant(two(), "k");

        assertThat(late.epoch()).isEqualTo(early.epoch());
        assertThat(late.order()).isGreaterThan(early.order());
    }

    @Test
    void withoutALeaseNobodyIsBusyAndEachHasItsOrder() {
        Grant leased = grant(one(), "k");
        Grant free = grant(two(), "k", Duration.ZERO, null);
        Grant another = grant(two(), "k", Duration.ZERO, null);

        assertThat(List.of(leased.order(), free.order(), another.order()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(await(one().renew("k", leased.token(), LONG)))
                .as("the lease is untouched")
                .isTrue();
        assertThat(await(two().commit("k", another, draft("v3")))).isEqualTo(Committed.STORED);
        assertThat(await(two().commit("k", free, draft("v2")))).isEqualTo(Committed.REJECTED);
        assertThat(value(one(), "k")).isEqualTo("v3");
    }

    // ---- renew

    @Test
    void onlyTheOwnerRenews() {
        Grant grant = grant(one(), "k");

        assertThat(await(one().renew("k", grant.token(), LONG))).isTrue();
        assertThat(await(two().renew("k", token(), LONG))).isFalse();
        assertThat(await(two().renew("never", token(), LONG))).isFalse();
    }

    @Test
    void aRenewedLeaseLastsLonger() {
        Grant grant = grant(one(), "k", Duration.ofSeconds(5), null);
        await(one().renew("k", grant.token(), Duration.ofSeconds(50)));

        assertThat(ask(two(), "k"))
                .isInstanceOfSatisfying(
                        Busy.class, busy -> assertThat(busy.leftNanos()).isGreaterThan(TimeUnit.SECONDS.toNanos(20)));
    }

    @Test
    void anEndedLeaseIsNotRenewed() {
        Grant grant = grant(one(), "k", SHORT, null);
        pass(SHORT);

        eventually(() -> !await(one().renew("k", grant.token(), Duration.ofMillis(1))));
    }

    /** FAULTS B-5: the late owner must not prolong or drop its successor's lease. */
    @Test
    void aSuccessorsLeaseIsNotTouchedByItsPredecessor() {
        Grant late = grant(one(), "k", SHORT, null);
        pass(SHORT);
        eventually(() -> ask(two(), "k") instanceof Granted);

        assertThat(await(one().renew("k", late.token(), LONG))).isFalse();
        await(one().fail("k", late, LONG, "late"));
        assertThat(ask(one(), "k")).as("neither given up nor marked").isInstanceOf(Busy.class);
    }

    // ---- commit

    @Test
    void aCommitStoresAndGivesTheLeaseUp() {
        Grant grant = grant(one(), "k");
        assertThat(await(one().commit("k", grant, draft("v")))).isEqualTo(Committed.STORED);

        assertThat(value(two(), "k")).isEqualTo("v");
        assertThat(entry(two(), "k").commitId()).isEqualTo(grant.token());
        assertThat(await(one().renew("k", grant.token(), LONG))).isFalse();
    }

    @Test
    void committingTwiceIsCommittingOnce() {
        Grant grant = grant(one(), "k");
        await(one().commit("k", grant, draft("v")));

        assertThat(await(one().commit("k", grant, draft("v")))).isEqualTo(Committed.STORED);
        assertThat(value(one(), "k")).isEqualTo("v");
    }

    /** FAULTS E-1: promise 2. */
    @Test
    void aCommitAfterAnInvalidationIsRejected() {
        Grant grant = grant(one(), "k");
        await(two().invalidate(List.of("k")));

        assertThat(await(one().commit("k", grant, draft("old")))).isEqualTo(Committed.REJECTED);
        assertThat(value(two(), "k")).isNull();
    }

    @Test
    void aCommitAfterAnInvalidationAndANewLoadIsRejected() {
        Grant old = grant(one(), "k");
        await(two().invalidate(List.of("k")));
        Grant young = grant(two(), "k");

        assertThat(young.epoch()).isNotEqualTo(old.epoch());
        assertThat(await(one().commit("k", old, draft("old")))).isEqualTo(Committed.REJECTED);
        assertThat(await(two().renew("k", young.token(), LONG))).isTrue();
        assertThat(await(two().commit("k", young, draft("new")))).isEqualTo(Committed.STORED);
        assertThat(value(one(), "k")).isEqualTo("new");
    }

    @Test
    void aCommitAfterAPutIsRejected() {
        Grant grant = grant(one(), "k");
        await(two().put("k", token(), draft("put")));

        assertThat(await(one().commit("k", grant, draft("old")))).isEqualTo(Committed.REJECTED);
        assertThat(value(one(), "k")).isEqualTo("put");
    }

    @Test
    void aCommitAfterALostLeaseIsStoredIfNobodyElseStored() {
        Grant grant = grant(one(), "k", SHORT, null);
        pass(SHORT);
        eventually(() -> !await(one().renew("k", grant.token(), Duration.ofMillis(1))));

        assertThat(await(one().commit("k", grant, draft("v")))).isEqualTo(Committed.STORED);
    }

    /** The first load is late; the second began later and has stored. */
    @Test
    void aLateCommitDoesNotOverwriteALaterBegunLoad() {
        Grant first = grant(one(), "k", SHORT, null);
        pass(SHORT);
        eventually(() -> !await(one().renew("k", first.token(), Duration.ofMillis(1))));
        Grant second = grant(two(), "k");
        await(two().commit("k", second, draft("second")));

        assertThat(await(one().commit("k", first, draft("first")))).isEqualTo(Committed.REJECTED);
        assertThat(value(one(), "k")).isEqualTo("second");
    }

    /** The other way round the later one replaces it. */
    @Test
    void aLaterBegunLoadOverwritesALateCommit() {
        Grant first = grant(one(), "k", SHORT, null);
        pass(SHORT);
        eventually(() -> !await(one().renew("k", first.token(), Duration.ofMillis(1))));
        Grant second = grant(two(), "k");
        assertThat(await(one().commit("k", first, draft("first")))).isEqualTo(Committed.STORED);

        assertThat(await(two().renew("k", second.token(), LONG)))
                .as("the late one does not drop its successor's lease")
                .isTrue();
        assertThat(await(two().commit("k", second, draft("second")))).isEqualTo(Committed.STORED);
        assertThat(value(one(), "k")).isEqualTo("second");
    }

    @Test
    void aCommitThatIsFreshForNoTimeChecksAndStoresNothing() {
        await(one().put("k", token(), draft("old", SHORT, LONG)));
        pass(SHORT);
        eventually(() -> ask(one(), "k") instanceof Granted);
        await(one().invalidate(List.of("k")));
        Grant grant = grant(one(), "k");

        assertThat(await(one().commit("k", grant, new Draft(null, Duration.ZERO, Duration.ZERO, COST))))
                .isEqualTo(Committed.STORED);
        assertThat(await(one().read("k"))).isEqualTo(new Reading.Missing());
        assertThat(ask(two(), "k")).as("the lease is free").isInstanceOf(Granted.class);
    }

    // ---- fail

    @Test
    void aFailureWithoutABackOffFreesTheLease() {
        await(one().fail("k", grant(one(), "k"), Duration.ZERO, "given up"));

        assertThat(ask(two(), "k")).isInstanceOf(Granted.class);
    }

    @Test
    void aFailureWithABackOffTurnsOthersAwayUntilItIsOver() {
        await(one().fail("k", grant(one(), "k"), Duration.ofSeconds(10), "sick ☠"));
        assertThat(ask(two(), "k")).isInstanceOfSatisfying(BackingOff.class, answer -> {
            assertThat(answer.reason()).isEqualTo("sick ☠");
            assertThat(answer.leftNanos()).isBetween(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(10));
        });

        await(one().fail("other", grant(one(), "other"), SHORT, "sick"));
        pass(SHORT);
        eventually(() -> ask(two(), "other") instanceof Granted);
    }

    @Test
    void failuresInARowAreCountedUntilASuccess() {
        Grant grant = grant(one(), "k");
        await(one().fail("k", grant, Duration.ofMillis(1), "1"));
        pass(Duration.ofMillis(5));
        Grant again = awaitGrant("k");
        assertThat(again.failures()).isEqualTo(1);
        await(one().fail("k", again, Duration.ofMillis(1), "2"));
        pass(Duration.ofMillis(5));
        Grant third = awaitGrant("k");
        assertThat(third.failures()).isEqualTo(2);
        await(one().commit("k", third, draft("v")));
        Token known = entry(one(), "k").commitId();
        assertThat(grant(one(), "k", LONG, known).failures()).isZero();
    }

    private Grant awaitGrant(String key) {
        List<Grant> granted = new ArrayList<>();
        eventually(() -> {
            if (await(one().acquire(key, token(), LONG, null)) instanceof Granted answer) {
                granted.add(answer.grant());
            }
            return !granted.isEmpty();
        });
        return granted.get(0);
    }

    @Test
    void aFreshEntryIsHandedOverInSpiteOfAFailure() {
        await(one().commit("k", grant(one(), "k"), draft("v")));
        Token known = entry(one(), "k").commitId();
        await(one().fail("k", grant(one(), "k", LONG, known), LONG, "sick"));

        assertThat(ask(two(), "k")).isInstanceOf(Fresh.class);
        assertThat(await(two().acquire("k", token(), LONG, known))).isInstanceOf(BackingOff.class);
    }

    @Test
    void theFailureOfASupersededLoadLeavesNoMarker() {
        Grant old = grant(one(), "k");
        await(two().invalidate(List.of("k")));
        await(one().fail("k", old, LONG, "late"));
        assertThat(ask(two(), "k")).isInstanceOf(Granted.class);

        Grant older = grant(one(), "other");
        await(two().invalidate(List.of("other")));
        grant(two(), "other");
        await(one().fail("other", older, LONG, "late"));
        assertThat(ask(one(), "other")).isInstanceOf(Busy.class);
    }

    @Test
    void invalidationAndPutEndTheBackOff() {
        await(one().fail("k", grant(one(), "k"), LONG, "sick"));
        await(two().invalidate(List.of("k")));
        assertThat(ask(one(), "k")).isInstanceOf(Granted.class);

        await(one().fail("p", grant(one(), "p"), LONG, "sick"));
        await(two().put("p", token(), draft("v")));
        assertThat(ask(one(), "p")).isInstanceOf(Fresh.class);
    }

    // ---- touch

    @Test
    void aTouchMarksARunningLoadWhichThenLoadsAgain() {
        Grant grant = grant(one(), "k");
        assertThat(await(two().touch("k"))).isEqualTo(Touched.MARKED);

        assertThat(await(one().commit("k", grant, draft("v")))).isEqualTo(Committed.STORED_LOAD_AGAIN);
        assertThat(await(one().commit("k", grant, draft("v"))))
                .as("again, because the answer was lost")
                .isEqualTo(Committed.STORED_LOAD_AGAIN);
        assertThat(value(two(), "k")).isEqualTo("v");
        Token known = entry(one(), "k").commitId();
        Grant again = grant(one(), "k", LONG, known);
        assertThat(await(one().commit("k", again, draft("v2"))))
                .as("the mark is gone")
                .isEqualTo(Committed.STORED);
    }

    @Test
    void aTouchOfAKeyThatNobodyLoadsDoesNothing() {
        assertThat(await(one().touch("never"))).isEqualTo(Touched.FREE);
        await(one().commit("k", grant(one(), "k"), draft("v")));
        assertThat(await(one().touch("k"))).isEqualTo(Touched.FREE);
        Token known = entry(one(), "k").commitId();
        Grant grant = grant(one(), "k", LONG, known);
        assertThat(await(one().commit("k", grant, draft("v2")))).isEqualTo(Committed.STORED);
    }

    // ---- invalidate

    @Test
    void invalidationForgetsValuesAndRecords() {
        await(one().put("a", token(), draft("1")));
        await(one().put("b", token(), draft("2")));
        await(one().put("c", token(), draft("3")));
        grant(one(), "d");

        await(two().invalidate(Set.of("a", "b", "d")));

        assertThat(value(one(), "a")).isNull();
        assertThat(value(one(), "b")).isNull();
        assertThat(value(one(), "c")).isEqualTo("3");
        assertThat(ask(two(), "d")).as("the lease is void").isInstanceOf(Granted.class);
    }

    @Test
    void invalidatingEverythingVoidsValuesRecordsAndLateCommits() {
        List<String> keys =
                Stream.iterate(0, i -> i + 1).limit(50).map(i -> "k" + i).toList();
        keys.forEach(key -> await(one().put(key, token(), draft("old"))));
        Grant running = grant(one(), "running");
        await(one().fail("failed", grant(one(), "failed"), LONG, "sick"));

        await(two().invalidateAll());

        Collection<Reading> after = await(one().readAll(keys)).values();
        assertThat(after).containsOnly(new Reading.Missing());
        assertThat(await(one().commit("running", running, draft("old")))).isEqualTo(Committed.REJECTED);
        assertThat(await(one().renew("running", running.token(), LONG))).isFalse();
        assertThat(ask(one(), "running")).isInstanceOf(Granted.class);
        assertThat(ask(one(), "failed")).isInstanceOf(Granted.class);
        assertThat(await(one().touch("k0"))).isEqualTo(Touched.FREE);

        await(one().put("k1", token(), draft("new")));
        assertThat(value(two(), "k1")).as("life goes on").isEqualTo("new");
    }

    @Test
    void cachesOfOtherNamesAreNotTouched() {
        String mine = name;
        name = mine + "-other";
        Region<String> other = region(store(), new HeardNews());
        await(other.put("k", token(), draft("other")));
        await(one().put("k", token(), draft("mine")));

        await(one().invalidateAll());

        assertThat(value(other, "k")).isEqualTo("other");
    }

    // ---- announcements

    @Test
    void othersHearOfEachStepAndTheActorDoesNot() {
        await(one().commit("a", grant(one(), "a"), draft("v")));
        await(one().put("b", token(), draft("v")));
        await(one().fail("c", grant(one(), "c"), LONG, "sick"));
        await(one().invalidate(List.of("d", "e")));
        await(one().invalidateAll());

        eventually(() -> otherNews.heard().contains("all"));
        assertThat(otherNews.heard())
                .contains("stored a", "stored b", "failed c", "invalidated d", "invalidated e", "all");
        assertThat(news.heard())
                .as("not of its own")
                .doesNotContain("stored a", "stored b", "failed c", "invalidated d", "invalidated e", "all");
    }

    @Test
    void aRejectedCommitIsNotAnnounced() {
        Grant grant = grant(one(), "k");
        await(two().invalidate(List.of("k")));
        await(one().commit("k", grant, draft("old")));
        await(one().invalidateAll());

        eventually(() -> otherNews.heard().contains("all"));
        assertThat(otherNews.heard()).doesNotContain("stored k");
    }

    @Test
    void aClosedRegionHearsNothing() {
        one().close();
        await(two().invalidate(List.of("k")));
        HeardNews witness = new HeardNews();
        region(store(), witness);
        eventually(() -> {
            await(two().invalidate(List.of("witness")));
            return !witness.heard().isEmpty();
        });

        assertThat(news.heard()).doesNotContain("invalidated k");
    }

    /** However many keys are being loaded, none loses its record to the others. */
    @Test
    void thousandsOfLoadsAtATimeAreAllStored() {
        List<CompletionStage<Committed>> commits = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            String key = "k" + i;
            commits.add(one().acquire(key, token(), LONG, null)
                    .thenCompose(answer -> one().commit(key, ((Granted) answer).grant(), draft("v"))));
        }

        assertThat(commits).allSatisfy(commit -> assertThat(await(commit)).isEqualTo(Committed.STORED));
    }

    // ---- threads

    private static <T> List<T> race(int count, java.util.concurrent.Callable<T> action) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CountDownLatch line = new CountDownLatch(count);
            List<Future<T>> runners = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                runners.add(threads.submit(() -> {
                    line.countDown();
                    line.await();
                    return action.call();
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> runner : runners) {
                answers.add(runner.get(20, TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }
}
