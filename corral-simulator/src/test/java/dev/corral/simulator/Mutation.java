package dev.corral.simulator;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A deliberate defect: in one source of corral-core one text is replaced by another, whatever the white space between
 * its words. The product itself has no switch for it.
 */
record Mutation(String what, String source, Set<Fault> needs, String search, String replacement) {

    /** The list, from the test resource. */
    static List<Mutation> all() throws IOException {
        try (InputStream in = Mutation.class.getResourceAsStream("mutations.txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.strip().split("\n\n"))
                    .map(Mutation::parse)
                    .toList();
        }
    }

    private static Mutation parse(String block) {
        List<String> lines = block.lines().toList();
        return new Mutation(
                lines.get(0).substring(2), lines.get(1), needs(lines), textOf(lines, "-"), textOf(lines, "+"));
    }

    /** The faults without which the defect has no effect: other seeds need not be tried. */
    private static Set<Fault> needs(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("@ "))
                .map(line -> Fault.valueOf(line.substring(2)))
                .collect(Collectors.toSet());
    }

    private static String textOf(List<String> lines, String mark) {
        return lines.stream()
                .skip(2)
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(1).strip())
                .collect(Collectors.joining(" "));
    }

    /** The source with the defect in it. */
    String applied(Path sources) throws IOException {
        Path file = sources.resolve(source);
        String original = Files.readString(file);
        String words = Arrays.stream(search.split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        String patched = Pattern.compile(words).matcher(original).replaceAll(Matcher.quoteReplacement(replacement));
        if (patched.equals(original)) {
            throw new AssertionError("mutation \"" + what + "\" no longer applies: " + source + " does not contain\n  "
                    + search + "\nChange mutations.txt so that it makes the same defect in the new text.");
        }
        return patched;
    }

    /** Compiles the defect into that folder. */
    void compile(Path sources, Path folder) throws IOException {
        Path file = folder.resolve("src").resolve(source);
        Files.createDirectories(file.getParent());
        Files.writeString(file, applied(sources));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(messages, Locale.ROOT, null)) {
            List<String> options = List.of(
                    "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(null, files, messages, options, null, files.getJavaFileObjects(file))
                    .call();
            if (!done) {
                throw new AssertionError("mutation \"" + what + "\" does not compile: "
                        + messages.getDiagnostics().stream()
                                .filter(message -> message.getKind() == Diagnostic.Kind.ERROR)
                                .toList());
            }
        }
    }

    /** Classes in which those of the folder come first. */
    static URLClassLoader classes(Path folder) throws IOException, URISyntaxException {
        List<URL> path = new ArrayList<>();
        path.add(folder.resolve("classes").toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
