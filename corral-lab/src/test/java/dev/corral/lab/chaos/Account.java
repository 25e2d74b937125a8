package dev.corral.lab.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What callers got, held against what was written. */
record Account(List<Call> calls, List<Write> writes) {

    Account only(Predicate<Call> which) {
        return new Account(calls.stream().filter(which).toList(), writes);
    }

    List<Call> errors() {
        return calls.stream().filter(Call::failed).toList();
    }

    /** The longest wait, counted from that instant for those that had begun before. */
    Duration worstWait(long since) {
        return Duration.ofNanos(calls.stream()
                .filter(call -> call.ended() > since)
                .mapToLong(call -> call.ended() - Math.max(since, call.began()))
                .max()
                .orElse(0));
    }

    /** What half of them waited at most. */
    Duration medianWait() {
        return calls.stream()
                .map(Call::waited)
                .sorted()
                .skip(calls.size() / 2)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    /** Reads that yielded what a write had replaced, on the node of that write, after it had answered. */
    List<Call> resurrections() {
        return calls.stream()
                .filter(call -> older(call).anyMatch(write -> write.node().equals(call.node())))
                .toList();
    }

    /** How long after a write had reached the store a read has begun, on any node, that yielded what it had replaced. */
    Duration staleAge() {
        return Duration.ofNanos(calls.stream()
                .flatMap(call -> older(call).filter(Write::applied).map(write -> call.began() - write.ended()))
                .max(Comparator.naturalOrder())
                .orElse(0L));
    }

    /** The writes that had answered when this read began, and whose version is newer than what it got. */
    private Stream<Write> older(Call call) {
        return writes.stream()
                .filter(write -> !call.failed() && write.key().equals(call.key()))
                .filter(write -> write.ended() < call.began() && call.version() < write.version());
    }
}
