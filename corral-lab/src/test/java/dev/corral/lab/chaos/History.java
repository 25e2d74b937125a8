package dev.corral.lab.chaos;

import dev.corral.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All that the callers of both nodes have seen, in the order in which the test heard of it. */
final class History {
    private final List<Call> calls = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    synchronized void add(Call call) {
        calls.add(call);
    }

    synchronized void add(Write write) {
        writes.add(write);
    }

    synchronized void clear() {
        calls.clear();
        writes.clear();
    }

    /** What happened with keys of that name. */
    synchronized Account of(String name) {
        return new Account(
                calls.stream().filter(call -> call.key().startsWith(name)).toList(),
                writes.stream().filter(write -> write.key().startsWith(name)).toList());
    }

    /** Waits until that many such calls have ended. */
    void await(String what, int count, Predicate<Call> which) {
        Count found = new Count(which);
        Patience.until(what, () -> found.more() >= count);
    }

    /** Looks at each call once. */
    private final class Count {
        private final Predicate<Call> which;
        private int seen;
        private int found;

        Count(Predicate<Call> which) {
            this.which = which;
        }

        int more() {
            synchronized (History.this) {
                for (; seen < calls.size(); seen++) {
                    found += which.test(calls.get(seen)) ? 1 : 0;
                }
                return found;
            }
        }
    }
}
