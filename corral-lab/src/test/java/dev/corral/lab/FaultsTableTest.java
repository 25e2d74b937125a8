package dev.corral.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that docs/faults.md names is there. */
class FaultsTableTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test|StoreContract)\\.(\\w+)`");

    @Test
    void theTestsItNamesExist() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        Matcher test = NAMED.matcher(Files.readString(ROOT.resolve("docs/faults.md")));
        while (test.find()) {
            named++;
            if (!sources(test.group(1)).contains("void " + test.group(2) + "(")) {
                missing.add(test.group(1) + "." + test.group(2));
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(50);
    }

    /** More than one module may have a class of that name. */
    private static String sources(String name) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(file -> file.endsWith(name + ".java")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
