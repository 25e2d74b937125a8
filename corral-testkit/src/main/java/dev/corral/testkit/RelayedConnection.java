package dev.corral.testkit;

import dev.corral.testkit.Relay.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection through a {@link Relay}: a thread for each direction. */
final class RelayedConnection {
    private static final int CHUNK = 64 * 1024;

    private final Relay relay;
    private final Socket client;
    private final Socket upstream;
    private final StringBuilder sent = new StringBuilder();
    private volatile boolean deaf;
    private volatile boolean abandoned;
    private volatile boolean lost;

    RelayedConnection(Relay relay, Socket client, Socket upstream) {
        this.relay = relay;
        this.client = client;
        this.upstream = upstream;
    }

    void start() {
        daemon(() -> pump(client, upstream, Direction.TO_SERVER));
        daemon(() -> pump(upstream, client, Direction.TO_CLIENT));
    }

    static void daemon(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized boolean hasSent(String text) {
        return sent.indexOf(text) >= 0;
    }

    boolean lostBytes() {
        return lost;
    }

    void hasLostBytes() {
        lost = true;
    }

    void deafen() {
        deaf = true;
    }

    void abandon() {
        abandoned = true;
    }

    private void pump(Socket from, Socket to, Direction direction) {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                remember(buffer, n, direction);
                relay.holdUp();
                carry(buffer, n, out, direction);
            }
        } catch (IOException e) {
            // one side is gone; so is the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private void carry(byte[] buffer, int n, OutputStream out, Direction direction) throws IOException {
        if (abandoned || (deaf && direction == Direction.TO_CLIENT)) {
            return;
        }
        if (relay.loses(direction, this)) {
            return;
        }
        int pass = relay.allowance(direction, n);
        out.write(buffer, 0, pass);
        if (pass < n) {
            close();
        }
    }

    /** The beginning, which says what kind of connection this is. */
    private synchronized void remember(byte[] buffer, int n, Direction direction) {
        if (direction == Direction.TO_SERVER && sent.length() < CHUNK) {
            sent.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        }
    }

    void close() {
        relay.forget(this);
        for (Socket socket : new Socket[] {client, upstream}) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new AssertionError("a socket cannot be closed", e);
            }
        }
    }
}
