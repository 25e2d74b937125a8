package dev.corral.redis;

import java.io.PrintWriter;
import java.io.StringWriter;

/** All that a failure tells: messages and stacks, with the causes. */
final class ThrowableText {
    private ThrowableText() {}

    static String of(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
