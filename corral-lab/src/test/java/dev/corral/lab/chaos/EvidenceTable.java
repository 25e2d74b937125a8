package dev.corral.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The table of {@code docs/reliability.md}, between two markers. */
final class EvidenceTable {
    private static final String BEGIN = "<!-- measured: begin -->\n";
    private static final String END = "<!-- measured: end -->";
    private static final String HEAD = "| fault | promised | loads | errors | worst wait | stale age |\n"
            + "| --- | --- | --- | --- | --- | --- |\n";

    private final Path page;

    EvidenceTable(Path page) {
        this.page = page;
    }

    /** Puts that in the place of what is there. */
    void write(String measuredOn, List<Evidence> evidence) throws IOException {
        StringBuilder table = new StringBuilder(measuredOn).append("\n\n").append(HEAD);
        evidence.forEach(each -> table.append(each.row()).append('\n'));
        String text = Files.readString(page);
        Files.writeString(page, text.substring(0, begin(text)) + table + text.substring(end(text)));
    }

    /** The faults that it lists. */
    List<String> faults() throws IOException {
        String text = Files.readString(page);
        List<String> faults = new ArrayList<>();
        rows(text.substring(begin(text), end(text))).forEach(row -> faults.add(row.split("\\|")[1].strip()));
        return faults;
    }

    private static Stream<String> rows(String table) {
        return table.lines().filter(line -> line.startsWith("| ")).skip(2);
    }

    private int begin(String text) {
        return found(text.indexOf(BEGIN)) + BEGIN.length();
    }

    private int end(String text) {
        return found(text.indexOf(END));
    }

    private int found(int index) {
        if (index < 0) {
            throw new IllegalStateException(page + " has no place for the table");
        }
        return index;
    }
}
