package dev.corral.lab.load;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Sends requests to the popular page, and a trickle to the unrelated one, and remembers how each went. */
public final class LoadGenerator implements AutoCloseable {
    /** Longer than any request of a race takes; a safety net against a test that never ends. */
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(90);

    /** No race is meant to last longer; the load stops by itself. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final HttpClient client;
    private final Anchor anchor = Anchor.now();
    private final ConcurrentLinkedQueue<Sample> samples = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** Sends with this client. */
    public LoadGenerator(HttpClient client) {
        this.client = client;
    }

    /**
     * Begins to send, evenly.
     *
     * @param target where request number n goes
     */
    public void start(Endpoint endpoint, int perSecond, IntFunction<URI> target) {
        Schedule schedule = new Schedule(System.nanoTime() + 1_000_000, perSecond);
        long end = schedule.startNanos() + LONGEST.toNanos();
        Pacer pacer = new Pacer(schedule, System::nanoTime, LockSupport::parkNanos);
        AtomicInteger number = new AtomicInteger();
        Thread thread = new Thread(
                () -> pacer.run(
                        () -> stopped || System.nanoTime() - end > 0,
                        intended -> send(endpoint, intended, target.apply(number.getAndIncrement()))),
                "load-" + endpoint);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private void send(Endpoint endpoint, long intended, URI uri) {
        long late = System.nanoTime() - intended;
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(REQUEST_LIMIT).build();
        var unused = client.sendAsync(request, BodyHandlers.discarding())
                .whenComplete((response, failure) -> ended(endpoint, intended, late, response));
    }

    private void ended(Endpoint endpoint, long intended, long late, @Nullable HttpResponse<Void> response) {
        long latency = System.nanoTime() - intended;
        boolean ok = response != null && response.statusCode() == 200;
        samples.add(new Sample(endpoint, anchor.microsAt(intended), late, latency, ok));
        open.decrementAndGet();
    }

    /** Requests under way. */
    public int open() {
        return open.get();
    }

    /** Most requests under way at once since the last reset. */
    public int mostOpen() {
        return mostOpen.get();
    }

    /** Forgets the most so far. */
    public void resetMostOpen() {
        mostOpen.set(open.get());
    }

    /** The requests that have ended so far. */
    public List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** Stops sending; requests under way go on. */
    @Override
    public void close() {
        stopped = true;
        threads.forEach(LockSupport::unpark);
    }

    @Override
    public String toString() {
        return "load generator";
    }
}
