package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page has a row for each fault, and none for one that is not there. */
class ReliabilityPageTest {

    @Test
    void itListsTheFaultsThatExist() throws IOException {
        assertThat(new EvidenceTable(Path.of("..", "docs", "reliability.md")).faults())
                .containsExactlyElementsOf(Fault.all().stream().map(Fault::name).toList());
    }
}
