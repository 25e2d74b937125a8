package dev.corral.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.engine.Permits.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link Permits} between any two of its steps: a release while somebody takes the last place in the queue, while the one
 * it is about to hand over to withdraws, while a third finds the permit free; two releases at once. No more than there are
 * permits are lent at any moment, everyone who asks is served once or has left or was refused, in the order in which they
 * came, and in the end all permits are back.
 */
@Tag("interleavings")
class NoPermitIsLostOrLentTwiceTest {
    /** What is called: the limiter, or one with a mistake. */
    interface Limiter {
        Answer acquire(Permits.Waiter waiter);

        boolean withdraw(Permits.Waiter waiter);

        void release();

        int running();

        int queued();

        static Limiter of(Permits permits) {
            return new Limiter() {
                @Override
                public Answer acquire(Permits.Waiter waiter) {
                    return permits.acquire(waiter);
                }

                @Override
                public boolean withdraw(Permits.Waiter waiter) {
                    return permits.withdraw(waiter);
                }

                @Override
                public void release() {
                    permits.release();
                }

                @Override
                public int running() {
                    return permits.running();
                }

                @Override
                public int queued() {
                    return permits.queued();
                }
            };
        }
    }

    /** Callers who load when they have a permit, of which there is one, with two places to wait. */
    public static class Loads {
        private final Limiter limiter;
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger unanswered = new AtomicInteger();

        public Loads() {
            this(Limiter.of(new Permits(1, 2)));
        }

        Loads(Limiter limiter) {
            this.limiter = limiter;
        }

        /** Waits for as long as it takes. */
        public void ask() {
            unanswered.incrementAndGet();
            if (limiter.acquire(this::load) == Answer.PERMITTED) {
                load();
            }
        }

        /** Leaves the queue at once, unless it is too late for that. */
        public void askAndLeave() {
            unanswered.incrementAndGet();
            Permits.Waiter waiter = this::load;
            Answer answer = limiter.acquire(waiter);
            if (answer == Answer.PERMITTED) {
                load();
            } else if (limiter.withdraw(waiter)) {
                unanswered.decrementAndGet();
            }
        }

        private void load() {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            unanswered.decrementAndGet();
            inside.decrementAndGet();
            limiter.release();
        }

        @Validate
        public void promises() {
            Interleavings.promise(most.get() <= 1, "two loads under one permit");
            Interleavings.promise(unanswered.get() == 0, "a caller neither served nor gone");
            Interleavings.promise(limiter.queued() == 0, "a place still taken");
            Interleavings.promise(limiter.running() == 0, "a permit still lent");
        }
    }

    @Test
    void twoWhoWaitAreBothServed() {
        Interleavings.of(Loads.class, 1_000).thread("ask").thread("ask").keepPromises();
    }

    @Test
    void oneWhoLeavesIsServedOrGoneAndNeverBoth() {
        Interleavings.of(Loads.class, 1_000)
                .thread("ask", "ask")
                .thread("askAndLeave")
                .keepPromises();
    }

    @Test
    void threeWhoComeAndGo() {
        Interleavings.of(Loads.class, 1_000)
                .thread("ask")
                .thread("ask")
                .thread("askAndLeave")
                .keepPromises();
    }

    // ---- the order

    /** Two permits, both lent; up to two may wait. Each call says what the limiter did, whoever else calls. */
    public static class Queue {
        private final Limiter limiter;
        private final List<Permits.Waiter> waiters = new ArrayList<>();
        private final ThreadLocal<Integer> handedOver = ThreadLocal.withInitial(() -> 0);

        public Queue() {
            this(Limiter.of(new Permits(2, 2)));
        }

        Queue(Limiter limiter) {
            this.limiter = limiter;
            for (int i = 1; i <= 3; i++) {
                int number = i;
                waiters.add(() -> handedOver.set(number));
            }
            limiter.acquire(() -> {});
            limiter.acquire(() -> {});
        }

        @Operation(runOnce = true)
        public Answer firstAsks() {
            return limiter.acquire(waiters.get(0));
        }

        @Operation(runOnce = true)
        public Answer secondAsks() {
            return limiter.acquire(waiters.get(1));
        }

        @Operation(runOnce = true)
        public Answer thirdAsks() {
            return limiter.acquire(waiters.get(2));
        }

        @Operation
        public boolean firstLeaves() {
            return limiter.withdraw(waiters.get(0));
        }

        @Operation
        public boolean secondLeaves() {
            return limiter.withdraw(waiters.get(1));
        }

        /** To whom the permit went, or zero. */
        @Operation(runOnce = true)
        public int oneIsGivenBack() {
            handedOver.set(0);
            limiter.release();
            return handedOver.get();
        }

        @Operation(runOnce = true)
        public int theOtherIsGivenBack() {
            return oneIsGivenBack();
        }

        @Operation
        public int queued() {
            return limiter.queued();
        }

        @Operation
        public int running() {
            return limiter.running();
        }
    }

    /** The same in the plainest way, for one thread. */
    public static class PlainQueue {
        private final Deque<Integer> queue = new ArrayDeque<>();
        private int running = 2;

        private Answer asks(int number) {
            if (running < 2) {
                running++;
                return Answer.PERMITTED;
            }
            if (queue.size() == 2) {
                return Answer.FULL;
            }
            queue.addLast(number);
            return Answer.QUEUED;
        }

        public Answer firstAsks() {
            return asks(1);
        }

        public Answer secondAsks() {
            return asks(2);
        }

        public Answer thirdAsks() {
            return asks(3);
        }

        public boolean firstLeaves() {
            return queue.remove(1);
        }

        public boolean secondLeaves() {
            return queue.remove(2);
        }

        public int oneIsGivenBack() {
            if (queue.isEmpty()) {
                running--;
                return 0;
            }
            return queue.removeFirst();
        }

        public int theOtherIsGivenBack() {
            return oneIsGivenBack();
        }

        public int queued() {
            return queue.size();
        }

        public int running() {
            return running;
        }
    }

    private static void isAQueue(Class<?> called) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(20)
                .invocationsPerIteration(100)
                .sequentialSpecification(PlainQueue.class)
                .check(called);
    }

    @Test
    void whateverIsCalledAtOnceHasTheAnswersOfSomeOrderAndThatIsFirstComeFirstServed() {
        isAQueue(Queue.class);
    }

    // ---- mistakes made on purpose

    /** Its release looks for somebody who waits and gives the permit back, but not in one step. */
    static class Planted implements Limiter {
        private final int count;
        private final Deque<Permits.Waiter> queue = new ArrayDeque<>();
        private int running;

        Planted(int count) {
            this.count = count;
        }

        @Override
        public synchronized Answer acquire(Permits.Waiter waiter) {
            if (running < count) {
                running++;
                return Answer.PERMITTED;
            }
            if (queue.size() >= 2) {
                return Answer.FULL;
            }
            queue.addLast(waiter);
            return Answer.QUEUED;
        }

        @Override
        public synchronized boolean withdraw(Permits.Waiter waiter) {
            return queue.remove(waiter);
        }

        @Override
        public void release() {
            Permits.Waiter next = next();
            if (next == null) {
                free();
            } else {
                next.permitted();
            }
        }

        final synchronized Permits.Waiter next() {
            return queue.pollFirst();
        }

        final synchronized void free() {
            running--;
        }

        @Override
        public synchronized int running() {
            return running;
        }

        @Override
        public synchronized int queued() {
            return queue.size();
        }
    }

    /** Its permit is free for a moment before it is handed over: somebody else may take it. */
    static final class FreeForAMoment extends Planted {
        FreeForAMoment(int count) {
            super(count);
        }

        @Override
        public void release() {
            free();
            Permits.Waiter next = next();
            if (next != null) {
                lend();
                next.permitted();
            }
        }

        private synchronized void lend() {
            super.acquire(() -> {});
        }
    }

    public static final class LoadsUnderATwoStepRelease extends Loads {
        public LoadsUnderATwoStepRelease() {
            super(new Planted(1));
        }
    }

    public static final class LoadsUnderAPermitFreeForAMoment extends Loads {
        public LoadsUnderAPermitFreeForAMoment() {
            super(new FreeForAMoment(1));
        }
    }

    public static final class QueueWithATwoStepRelease extends Queue {
        public QueueWithATwoStepRelease() {
            super(new Planted(2));
        }
    }

    @Test
    void aReleaseInTwoStepsIsFoundToLeaveAWaiterForEver() {
        Interleavings.of(LoadsUnderATwoStepRelease.class, 1_000)
                .thread("ask")
                .thread("ask")
                .areFoundToBreak("a caller neither served nor gone");
    }

    @Test
    void aPermitThatIsFreeBeforeItIsHandedOverIsFoundToBeLentTwice() {
        Interleavings.of(LoadsUnderAPermitFreeForAMoment.class, 1_000)
                .thread("ask")
                .thread("ask")
                .thread("ask")
                .areFoundToBreak("two loads under one permit");
    }

    @Test
    void aReleaseInTwoStepsIsFoundToHaveTheAnswersOfNoOrder() {
        assertThatThrownBy(() -> isAQueue(QueueWithATwoStepRelease.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }
}
