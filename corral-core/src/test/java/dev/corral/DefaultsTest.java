package dev.corral;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/defaults.md} against the code. */
class DefaultsTest {
    private static final Pattern ROW = Pattern.compile("\\| `([^|]+?) *\\| ([^|]+?) \\| [^|]+ \\|");

    @Test
    void theTableSaysWhatTheCodeDoes() throws IOException {
        CacheSettings plain =
                Corral.newBuilder("d").expireAfterWrite(Duration.ofHours(1)).settings();
        CacheSettings near = Corral.newBuilder("d")
                .expireAfterWrite(Duration.ofHours(1))
                .near(tier -> tier.maximumSize(1))
                .settings();
        CacheSettings job = Corral.newBuilder("d")
                .expireAfterWrite(Duration.ofHours(1))
                .strategy(Strategy.external())
                .precompute(p -> p.keys("k"))
                .settings();
        Strategy strategy = plain.strategy();

        Map<String, String> actual = new LinkedHashMap<>();
        actual.put("strategy", code(strategy.when()) + " " + code(strategy.who()) + " " + code(strategy.meanwhile()));
        actual.put("expireAfterWrite", "must be set");
        actual.put("expireAfter", "—");
        actual.put("jitter", code(plain.jitter()));
        actual.put(
                "expireAbsentAfterWrite",
                code(plain.absentAfterWrite()) + " or `expireAfterWrite`, whichever is shorter");
        actual.put("earlyRefresh", code(plain.early()));
        actual.put("serveStaleWhileRefreshing", code(plain.staleWhileRefreshing()));
        actual.put("serveStaleOnError", code(plain.staleOnError()));
        actual.put("waitTimeout", code(plain.waitTimeout()));
        actual.put("softTimeout", orDash(plain.softTimeout()));
        actual.put("hardTimeout", orDash(plain.hardTimeout()));
        actual.put("maximumLoadTime", code(plain.maximumLoadTime()));
        actual.put("lease", code(plain.lease()));
        actual.put("pollInterval", code(plain.pollInterval()));
        actual.put("nestedWait", code(plain.nestedWait()));
        actual.put("backOff", code(plain.backOff()));
        actual.put("backOff` maximum", code(plain.maximumBackOff()));
        actual.put("storeTimeout", code(plain.storeTimeout()));
        actual.put("schemaVersion", code(plain.schemaVersion()));
        actual.put(
                "limit",
                CacheBuilder.DEFAULT_PERMITS + " loads at once, " + String.format("%,d", LoadLimiter.DEFAULT_QUEUE)
                        + " queued, per cache; `naive` has none");
        actual.put("near", orDash(plain.near()));
        actual.put("near.expireAfter", code(near.near().expireAfter()));
        actual.put("precompute", orDash(plain.precompute()));
        assertThat(job.precompute().every()).isEqualTo(Duration.ofMinutes(30));
        actual.put("precompute.every", "half of `expireAfterWrite`");
        actual.put("rollOut", orDash(plain.rollOut()));
        actual.put(
                "store", "a `MemoryStore` of " + String.format("%,d", MemoryStore.DEFAULT_MAXIMUM_SIZE) + " entries");
        actual.put("executor", "Corral's own daemon threads");

        assertThat(table()).isEqualTo(actual);
    }

    @Test
    void everySettingIsInTheTable() throws IOException {
        List<String> options = table().keySet().stream().toList();
        for (var component : CacheSettings.class.getRecordComponents()) {
            String option = switch (component.getName()) {
                case "absentAfterWrite" -> "expireAbsentAfterWrite";
                case "early" -> "earlyRefresh";
                case "staleWhileRefreshing" -> "serveStaleWhileRefreshing";
                case "staleOnError" -> "serveStaleOnError";
                case "maximumBackOff" -> "backOff` maximum";
                default -> component.getName();
            };
            if (!option.equals("name")) {
                assertThat(options).contains(option);
            }
        }
    }

    private static String code(Object value) {
        return "`" + value + "`";
    }

    private static String orDash(Object value) {
        return value == null ? "—" : code(value);
    }

    private static Map<String, String> table() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "defaults.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String option = row.group(1);
                rows.put(option.endsWith("`") ? option.substring(0, option.length() - 1) : option, row.group(2));
            }
        }
        return rows;
    }
}
