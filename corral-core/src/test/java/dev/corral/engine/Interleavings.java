package dev.corral.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * A few calls on a few threads, run in one interleaving of their single steps after the other: first those with one
 * switch of threads, then with two, and so on. Lincheck has no clock and no dice, so a run finds what the last one found.
 * The object that is called is made anew for each; its calls note what they see, and its {@code @Validate} method looks at
 * the end. A deadlock is a failure too, and so is whatever they throw.
 */
final class Interleavings {
    /** No promise hangs on it, it waits for nothing, and it would be most of the steps. */
    private static final ManagedStrategyGuarantee CAFFEINES_BOOKKEEPING = ManagedStrategyGuaranteeKt.forClasses(
                    "com.github.benmanes.caffeine.cache.BoundedLocalCache")
            .methods("afterRead", "afterWrite")
            .treatAsAtomic();

    /** The slots of a small map; Lincheck takes what goes round for longer for a wait that only another thread can end. */
    private static final int LONGEST_LOOP = 40;

    private final Class<?> called;
    private final int most;
    private final List<List<Actor>> threads = new ArrayList<>();

    private Interleavings(Class<?> called, int most) {
        this.called = called;
        this.most = most;
    }

    /**
     * Of calls to a public class with a public constructor.
     *
     * @param most how many interleavings are tried, if there are as many
     */
    static Interleavings of(Class<?> called, int most) {
        return new Interleavings(called, most);
    }

    /** One more thread, which makes these calls in this order. */
    Interleavings thread(String... calls) {
        List<Actor> actors = new ArrayList<>();
        for (String call : calls) {
            try {
                actors.add(new Actor(called.getMethod(call), List.of()));
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(e);
            }
        }
        threads.add(actors);
        return this;
    }

    /** In none of them is a promise broken. */
    void keepPromises() {
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(most)
                .loopIterationsBeforeThreadSwitch(LONGEST_LOOP)
                .addGuarantee(CAFFEINES_BOOKKEEPING)
                .addCustomScenario(new ExecutionScenario(List.of(), threads, List.of(), null))
                .check(called);
    }

    /** In one of them this goes wrong: the test would find the mistake that was made on purpose. */
    void areFoundToBreak(String what) {
        assertThatThrownBy(this::keepPromises)
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining(what);
    }

    /** For what is called: AssertJ there would be a thousand more steps to interleave. */
    static void promise(boolean kept, String orWhat) {
        if (!kept) {
            throw new AssertionError(orWhat);
        }
    }
}
