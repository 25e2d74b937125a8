package dev.corral.lab.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in columns of even width: the first to the left, the others to the right. */
final class TextTable {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a row; all must have as many cells as the first. */
    void row(List<String> cells) {
        if (!rows.isEmpty() && rows.get(0).size() != cells.size()) {
            throw new IllegalArgumentException("a row of " + cells.size() + " cells in a table of "
                    + rows.get(0).size());
        }
        rows.add(List.copyOf(cells));
    }

    /** The table, its first row underlined, with a line break after each line. */
    String render() {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            String line = line(rows.get(row));
            text.append(line.stripTrailing()).append('\n');
            if (row == 0) {
                text.append("-".repeat(line.length())).append('\n');
            }
        }
        return text.toString();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(width(column) - cell.length());
            line.append(column == 0 ? cell + padding : GAP + padding + cell);
        }
        return line.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
