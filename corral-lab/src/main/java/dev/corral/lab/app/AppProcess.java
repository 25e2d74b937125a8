package dev.corral.lab.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.corral.lab.LabException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The driver's side of one application process. */
public final class AppProcess implements AutoCloseable {
    /** Small and quickly warm: two of them share two cores with Redis, PostgreSQL and the driver. */
    private static final List<String> JVM =
            List.of("-Xms128m", "-Xmx256m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;
    private final HttpClient client;
    private int port;

    private AppProcess(Process process, Path log, HttpClient client) {
        this.process = process;
        this.log = log;
        this.client = client;
    }

    /**
     * Starts one, without waiting for it.
     *
     * @param log for whatever it writes to standard error
     */
    public static AppProcess launch(AppSettings settings, Path log, HttpClient client) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add(AppMain.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("CLASSPATH", System.getProperty("java.class.path"));
        environment.putAll(settings.toEnvironment());
        try {
            return new AppProcess(builder.start(), log, client);
        } catch (IOException e) {
            throw new LabException("could not start an application process: " + e.getMessage(), e);
        }
    }

    /** Waits until it listens. */
    public void awaitPort() {
        try {
            BufferedReader output = process.inputReader();
            String line = output.readLine();
            while (line != null && !line.startsWith(AppMain.PORT)) {
                line = output.readLine();
            }
            if (line == null) {
                throw new LabException("an application process stopped while starting: " + complaint());
            }
            port = Integer.parseInt(line.substring(AppMain.PORT.length()));
        } catch (IOException e) {
            throw new LabException("an application process could not be read: " + e.getMessage(), e);
        }
    }

    /** The first thing it complained about on standard error. */
    public String complaint() {
        try {
            return Files.readString(log)
                    .lines()
                    .filter(line -> line.contains("Exception") || line.contains("Error") || line.contains("WARN"))
                    .findFirst()
                    .orElse("it said nothing");
        } catch (IOException e) {
            return "its log cannot be read";
        }
    }

    /** The address of one of its pages. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Asks for one page and waits for the answer; true when it was good. */
    public boolean get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).GET()).statusCode() == 200;
    }

    /** What it says about itself. */
    public AppMetrics metrics() {
        try {
            return JSON.readValue(
                    send(HttpRequest.newBuilder(uri("/metrics")).GET()).body(), AppMetrics.class);
        } catch (IOException e) {
            throw new LabException("the metrics of an application process could not be read: " + e.getMessage(), e);
        }
    }

    /** Forgets the maxima so far. */
    public void resetMetrics() {
        send(HttpRequest.newBuilder(uri("/metrics/reset")).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.timeout(ANSWER_LIMIT).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new LabException("an application process did not answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }

    /** Ends it at once: nothing it holds is worth a farewell. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "application process " + process.pid();
    }
}
