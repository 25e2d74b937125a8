package dev.corral.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table with a column for each result and a row for each thing measured. */
final class SideBySide<R> {
    private final List<R> results;
    private final TextTable table = new TextTable();

    SideBySide(List<R> results) {
        this.results = results;
    }

    /** Adds a row; the first one is the head. */
    void row(String name, Function<R, String> cell) {
        List<String> cells = new ArrayList<>(List.of(name));
        results.forEach(result -> cells.add(cell.apply(result)));
        table.row(cells);
    }

    String render() {
        return table.render();
    }
}
