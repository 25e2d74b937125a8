package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The test's side of one node. */
final class Node implements AutoCloseable {
    private static final long ANSWER_SECONDS = 30;

    final String name;
    private final Process process;
    private final History history;
    private final BlockingQueue<String[]> answers = new LinkedBlockingQueue<>();

    private Node(String name, Process process, History history) {
        this.name = name;
        this.process = process;
        this.history = history;
    }

    /**
     * Starts it; {@link #awaitReady} waits for it.
     *
     * @param temp for its log and its temporary files; on its command line, so that the watcher knows it
     */
    static Node start(String name, Path temp, History history, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", // a killed JVM would leave its file behind
                "-Djava.io.tmpdir=" + temp,
                NodeMain.class.getName(),
                name));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        temp.resolve(name + ".log").toFile()));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        try {
            Node node = new Node(name, builder.start(), history);
            Thread listener = new Thread(node::listen, "node " + name);
            listener.setDaemon(true);
            listener.start();
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() {
        answer("ready");
    }

    /** That many callers read the key; returns when all are about to, with what their names begin with. */
    String read(String key, int callers) {
        order("read " + key + " " + callers);
        return begun();
    }

    /** What the names of those callers begin with who are reading now, by an order given earlier. */
    String begun() {
        return answer("begun")[1];
    }

    void traffic(String keys, int count, int callers) {
        order("traffic " + keys + " " + count + " " + callers);
    }

    void quiet() {
        order("quiet");
        answer("quiet");
    }

    /** After the row has got that version. */
    Write invalidate(String key, long version) {
        order("invalidate " + key);
        String[] answer = answer("wrote");
        Write write = new Write(name, key, version, Delivery.valueOf(answer[2]), Long.parseLong(answer[3]));
        history.add(write);
        return write;
    }

    /** For a node that is stopped, and will come to it when it goes on. */
    void order(String order) {
        try {
            OutputStream orders = process.getOutputStream();
            orders.write((order + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("node " + name + ": " + order, e);
        }
    }

    String[] answer(String word) {
        try {
            String[] answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            assertThat(answer).as("node %s says '%s'", name, word).isNotNull();
            assertThat(answer[0]).as(Arrays.toString(answer)).isEqualTo(word);
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (Call.isOne(words)) {
                    history.add(Call.parse(name, words));
                } else if (words[words.length - 1].equals(".")) { // else cut off by its end
                    answers.add(words);
                }
            }
        } catch (IOException e) {
            // it has ended
        }
    }

    void stop() {
        Signal.stop(process.pid());
    }

    void goOn() {
        Signal.goOn(process.pid());
    }

    /** As {@code kill -9} does, whatever it is doing. */
    void kill() {
        Signal.kill(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Signal.awaitGone(process.pid());
    }

    @Override
    public String toString() {
        return "node " + name;
    }
}
