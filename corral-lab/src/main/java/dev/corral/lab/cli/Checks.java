package dev.corral.lab.cli;

import dev.corral.lab.shop.ShopDataSource;
import dev.corral.redis.RedisStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks of options; a failure names the option and what it got. Options that were not given pass. */
record Checks(CommandLine command) {

    void between(String option, int value, int least, int most) {
        if (value < least || value > most) {
            fail(option, "must be from " + least + " to " + most, Integer.toString(value));
        }
    }

    void share(String option, double value) {
        if (!(value >= 0 && value < 1)) {
            fail(option, "must be at least 0 and below 1", Double.toString(value));
        }
    }

    void atLeast(String option, @Nullable Duration value, Duration least) {
        if (value != null && value.compareTo(least) < 0) {
            fail(option, "must be at least " + least.toMillis() + " ms", value.toMillis() + " ms");
        }
    }

    void redis(@Nullable String uri) {
        if (uri == null) {
            return;
        }
        if (!uri.startsWith("redis://") && !uri.startsWith("rediss://")) {
            fail("--redis", "must begin with redis:// or rediss://", Redaction.ofAddress(uri));
        }
        try {
            RedisStore.builder(uri);
        } catch (IllegalArgumentException e) { // without what it got: a URI that cannot be read cannot be redacted
            fail("--redis", String.valueOf(e.getMessage()).replaceFirst("^uri ", ""));
        }
    }

    void postgres(@Nullable String url) {
        if (url != null && !ShopDataSource.accepts(url)) {
            fail(
                    "--postgres",
                    "must be a URL such as jdbc:postgresql://localhost/shop?user=me",
                    Redaction.ofAddress(url));
        }
    }

    void writable(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
            fail(option, "must be a file in a folder that can be written to", file.toString());
        }
    }

    private void fail(String option, String rule, String got) {
        fail(option, rule + ", got " + got);
    }

    private void fail(String option, String complaint) {
        throw wrong(option, complaint);
    }

    /** What to throw when the option is wrong in that way. */
    ParameterException wrong(String option, String complaint) {
        return new ParameterException(command, option + " " + complaint);
    }
}
