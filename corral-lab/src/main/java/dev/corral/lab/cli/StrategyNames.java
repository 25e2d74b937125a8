package dev.corral.lab.cli;

import dev.corral.lab.RaceStrategy;
import java.util.Arrays;
import java.util.Iterator;

/** The strategies' names, for completion. */
final class StrategyNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(RaceStrategy.values()).map(RaceStrategy::toString).iterator();
    }
}
