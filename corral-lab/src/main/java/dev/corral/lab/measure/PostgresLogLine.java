package dev.corral.lab.measure;

import dev.corral.lab.shop.TrendingQuery;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of PostgreSQL's log with {@code log_line_prefix = '%n|%p|'} and {@code log_min_duration_statement = 0}.
 *
 * <p>The line is written when the statement ends and says how long it took, hence when it began. Of the three lines that
 * the extended protocol writes for a statement (parse, bind, execute) only the last counts.
 */
final class PostgresLogLine {
    private static final Pattern EXECUTED =
            Pattern.compile("^(\\d+)\\.(\\d{3})\\|\\d+\\|LOG:  duration: (\\d+\\.\\d+) ms"
                    + "  (?:statement|execute [^:]*): " + Pattern.quote(TrendingQuery.MARKER) + ".*");

    private PostgresLogLine() {}

    /** The execution of the trending query that this line is about, if it is about one. */
    static Optional<QueryRun> parse(String line) {
        Matcher executed = EXECUTED.matcher(line);
        if (!executed.matches()) {
            return Optional.empty();
        }
        long end = (Long.parseLong(executed.group(1)) * 1_000 + Long.parseLong(executed.group(2))) * 1_000;
        long micros = Math.round(Double.parseDouble(executed.group(3)) * 1_000);
        return Optional.of(new QueryRun(end - micros, end));
    }
}
