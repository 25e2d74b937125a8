package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many loads each key may have cost: one each for being cold, for an invalidation, for a lease that was lost. */
final class LoadBudget {
    private final Map<String, Long> allowed = new TreeMap<>();

    LoadBudget allow(String key, long loads) {
        allowed.merge(key, loads, Long::sum);
        return this;
    }

    /** For each of the keys of that name, numbered from 0. */
    LoadBudget allowEach(String name, int keys, long loads) {
        for (int i = 0; i < keys; i++) {
            allow(name + i, loads);
        }
        return this;
    }

    long total() {
        return allowed.values().stream().mapToLong(Long::longValue).sum();
    }

    void check(List<LoadRow> loads) {
        loads.stream()
                .collect(Collectors.groupingBy(LoadRow::key))
                .forEach((key, its) -> assertThat((long) its.size())
                        .as("loads of %s: %s", key, its)
                        .isLessThanOrEqualTo(allowed.getOrDefault(key, 0L)));
    }
}
