package dev.corral.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a user meets it: exit codes, help, and errors of one line. */
class CommandLineTest extends CommandLineRuns {
    @Test
    void helpIsEverywhere() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("Usage: corral", "race", "simulate", "completion");
        assertThat(run("race", "--help")).isZero();
        assertThat(out()).contains("--strategies", "--nodes", "--rate", "--ttl", "--expiries", "--pool", "--quick");
        assertThat(out()).contains("--json", "--redis", "--postgres");
        assertThat(run("simulate", "--help")).isZero();
        assertThat(out()).contains("--nodes", "--rate", "--ttl", "--load", "--for", "--strategy", "--database");
        assertThat(out()).contains("--seed", "--json", "xfetch[:beta=N", "adaptive[:lease");
        assertThat(run("completion", "--help")).isZero();
        assertThat(err()).isEmpty();
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("corral ");
    }

    @Test
    void theCompletionScriptKnowsTheOptions() {
        assertThat(run("completion")).isZero();
        assertThat(out()).contains("--strategies", "simulate", "--database").contains("complete -F");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --nodes 0              | --nodes must be from 1 to 16, got 0
            --nodes many           | '--nodes'
            --rate 0               | --rate must be from 1 to 5000, got 0
            --expiries 0           | --expiries must be from 1 to 1000, got 0
            --pool 101             | --pool must be from 1 to 100, got 101
            --ttl 5                | must be a duration such as 400ms, 1.2s, 2m or 1h, got 5
            --ttl 10ms             | --ttl must be at least 1000 ms, got 10 ms
            --query-time 1ms       | --query-time must be at least 20 ms, got 1 ms
            --pool-timeout 1ms     | --pool-timeout must be at least 250 ms, got 1 ms
            --strategies fast      | fast
            --redis http://x       | --redis must begin with redis:// or rediss://, got http://x
            --postgres mysql:x     | --postgres must be a URL such as jdbc:postgresql://
            --json /no/such/place  | --json must be a file in a folder that can be written to, got /no/such/place
            --unknown              | --unknown
            """)
    void aWrongOptionIsNamedInOneLineWithExitCodeTwo(String arguments, String expected) {
        String[] words = ("race " + arguments).split(" ");

        assertThat(run(words)).isEqualTo(2);

        assertThat(err().lines()).hasSize(1);
        assertThat(err()).startsWith("corral race: ").contains(expected).contains("(see corral race --help)");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--redis=http://me:sesame@host",
                "--redis=me:sesame@host",
                "--redis=http://me:open/sesame@host",
                "--redis=http://me:open sesame@host",
                "--redis=redis://:sesame@",
                "--redis=redis://:sesame@host:port",
                "--redis=redis://:sesame@host:99999",
                "--redis=redis://:sesame@host/shop",
                "--redis=redis://:open#sesame@host",
                "--redis=redis://:open/sesame@host",
                "--redis=redis://:open sesame@host",
                "--redis=rediss://:sesame@host?verifyPeer=perhaps",
                "--postgres=jdbc:mysql://host/shop?user=me&password=sesame",
                "--postgres=jdbc:mysql://host/shop?user=me&password=open sesame",
                "--postgres=jdbc:oracle:thin:me/sesame@host",
                "--postgres=postgresql://me:sesame@host/shop",
                "--postgres=jdbc:postgresql://me:sesame@host/shop",
                "--postgres=jdbc:postgresql://host:port/shop?password=sesame",
                "--postgres=jdbc:postgresql://host:99999/shop?password=sesame",
                "--postgres=jdbc:postgresql://host/shop?password=sesame%"
            })
    void aWrongAddressIsNotRepeatedWithItsPassword(String argument) {
        String option = argument.substring(0, argument.indexOf('='));
        try (JavaLog log = new JavaLog()) {
            assertThat(run("race", argument)).isEqualTo(2);
            assertThat(log.lines).as("would be on standard error as well").isEmpty();
        }
        assertThat(err().lines()).hasSize(1);
        assertThat(err()).startsWith("corral race: " + option + " must ").doesNotContain("sesame");
        assertThat(out()).isEmpty();
    }

    @Test
    void anAddressInTheWrongPlaceIsNotRepeatedWithItsPassword() {
        assertThat(run("race", "redis://:open/sesame@host")).isEqualTo(2);

        assertThat(err().lines()).hasSize(1);
        assertThat(err()).contains("***@host").doesNotContain("sesame");
    }

    @Test
    void aServerThatIsNotThereIsAFailureOfOneLine() {
        int exit = run("race", "--postgres", "jdbc:postgresql://127.0.0.1:1/shop?user=me&password=sesame");

        assertThat(exit).isEqualTo(1);
        assertThat(err().lines().reduce((first, last) -> last))
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("corral race: --postgres: PostgreSQL: ")
                        .doesNotContain("sesame"));
    }

    /** What libraries log by {@code java.util.logging} meanwhile, which nobody asked to keep quiet. */
    private static final class JavaLog extends Handler implements AutoCloseable {
        private final List<String> lines = new ArrayList<>();

        JavaLog() {
            Logger.getLogger("").addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            Logger.getLogger("").removeHandler(this);
        }
    }
}
