package dev.corral.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.spi.Delays;
import dev.corral.spi.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ManualPlatformTest {
    private final ManualPlatform manual = ManualPlatform.create();
    private final Platform platform = manual.platform();
    private final List<String> log = new ArrayList<>();

    @Test
    void timeMovesOnlyWhenTold() {
        long before = platform.time().nanoTime();
        long wall = platform.time().wallMillis();
        assertThat(platform.time().nanoTime()).isEqualTo(before);
        manual.advance(Duration.ofSeconds(10)); // over the clock's overflow
        assertThat(platform.time().nanoTime() - before).isEqualTo(10_000_000_000L);
        assertThat(platform.time().wallMillis() - wall).isEqualTo(10_000);
    }

    @Test
    void theWallClockJumpsAlone() {
        long before = platform.time().nanoTime();
        long wall = platform.time().wallMillis();
        manual.time().jumpWall(Duration.ofHours(-1));
        assertThat(platform.time().nanoTime()).isEqualTo(before);
        assertThat(platform.time().wallMillis() - wall).isEqualTo(-3_600_000);
    }

    @Test
    void timersFireInOrderAtTheirInstant() {
        long start = platform.time().nanoTime();
        after(30, "c");
        after(10, "a");
        platform.delays().after(Duration.ofMillis(10).toNanos(), () -> {
            log.add("b at " + (platform.time().nanoTime() - start) / 1_000_000);
            after(10, "b2");
        });
        Delays.Timer cancelled = after(15, "never");
        cancelled.cancel();
        manual.advance(Duration.ofMillis(29));
        assertThat(log).containsExactly("a", "b at 10", "b2");
        manual.advance(Duration.ofMillis(1));
        assertThat(log).endsWith("c");
        assertThat(manual.waitingTimers()).isZero();
    }

    @Test
    void tasksRunAsTimeMovesUnlessHeld() {
        platform.executor().execute(() -> log.add("one"));
        assertThat(log).isEmpty();
        manual.advance(Duration.ZERO);
        assertThat(log).containsExactly("one");
        manual.hold();
        platform.executor().execute(() -> log.add("two"));
        manual.advance(Duration.ofSeconds(1));
        assertThat(manual.waitingTasks()).isEqualTo(1);
        assertThat(manual.runTasks()).isEqualTo(1);
        platform.executor().execute(() -> log.add("three"));
        manual.release();
        assertThat(log).containsExactly("one", "two", "three");
    }

    @Test
    void theExecutorCanRefuse() {
        manual.rejectTasks(true);
        assertThatThrownBy(() -> platform.executor().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        manual.rejectTasks(false);
        platform.executor().execute(() -> log.add("again"));
        manual.runDue();
        assertThat(log).containsExactly("again");
    }

    @Test
    void theDiceComeFromTheSeed() {
        assertThat(ManualPlatform.seeded(7).platform().random().nextLong())
                .isEqualTo(ManualPlatform.seeded(7).platform().random().nextLong())
                .isNotEqualTo(ManualPlatform.seeded(8).platform().random().nextLong());
    }

    @Test
    void aThreadWaitsForManualTime() throws InterruptedException {
        AtomicBoolean through = new AtomicBoolean();
        Thread waiter = new Thread(() -> {
            platform.parking().park(this, Duration.ofSeconds(5).toNanos());
            through.set(true);
        });
        waiter.start();
        manual.awaitParked(1);
        manual.advance(Duration.ofSeconds(4));
        assertThat(manual.parkedThreads()).isEqualTo(1);
        assertThat(through).isFalse();
        manual.advance(Duration.ofSeconds(1));
        waiter.join(10_000);
        assertThat(through).isTrue();
    }

    @Test
    void aWaitingThreadIsWokenBeforeItsTime() throws InterruptedException {
        Thread waiter = new Thread(() -> platform.parking().park(this, Long.MAX_VALUE));
        waiter.start();
        manual.awaitParked(1);
        platform.parking().unpark(waiter);
        waiter.join(10_000);
        assertThat(waiter.isAlive()).isFalse();
        assertThat(manual.parkedThreads()).isZero();
    }

    private Delays.Timer after(long millis, String line) {
        return platform.delays().after(Duration.ofMillis(millis).toNanos(), () -> log.add(line));
    }
}
