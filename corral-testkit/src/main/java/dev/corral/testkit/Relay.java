package dev.corral.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/**
 * Stands between clients and a server on loopback, and makes the network misbehave. A fault holds for the connections
 * that are open and for those that follow, unless said otherwise, until {@link #mend}.
 */
public final class Relay implements AutoCloseable {
    /** Where bytes go. */
    public enum Direction {
        /** What clients send. */
        TO_SERVER,
        /** What the server answers, or sends by itself. */
        TO_CLIENT
    }

    private final ServerSocket server;
    private final int target;
    private final List<RelayedConnection> connections = new CopyOnWriteArrayList<>();
    private final Set<Direction> losing = EnumSet.noneOf(Direction.class);
    private Duration delay = Duration.ZERO;
    private boolean frozen;
    private Direction cutting = Direction.TO_SERVER;
    private long bytesUntilCut = -1;

    /** Relays a free port to that one. */
    public Relay(int target) throws IOException {
        this(target, ServerSocketFactory.getDefault());
    }

    /** With the factory of a TLS context, clients speak TLS with it, and it speaks plainly with the server. */
    public Relay(int target, ServerSocketFactory sockets) throws IOException {
        this.target = target;
        this.server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RelayedConnection.daemon(this::accept);
    }

    /** Where clients connect. */
    public int port() {
        return server.getLocalPort();
    }

    // ---- faults

    /** Bytes arrive at least that much later, and in their order. */
    public synchronized void delay(Duration time) {
        delay = time;
    }

    /** Holds everything back; {@link #mend} lets it arrive, late and complete. */
    public synchronized void freeze() {
        frozen = true;
    }

    /** What is sent that way from now on is gone, and nobody is told. */
    public synchronized void lose(Direction direction) {
        losing.add(direction);
    }

    /** After that many more bytes that way, over all connections, the one that carried the last of them is closed. */
    public synchronized void cutAfter(Direction direction, long bytes) {
        cutting = direction;
        bytesUntilCut = bytes;
    }

    /** True once the cut that was asked for has come. */
    public synchronized boolean hasCut() {
        return bytesUntilCut < 0;
    }

    /** Connections that have sent that text get no more bytes from the server. Those opened from now on do. */
    public void deafen(String text) {
        connections.stream().filter(connection -> connection.hasSent(text)).forEach(RelayedConnection::deafen);
    }

    /** Connections open now carry nothing any more, in either direction, and nobody closes them. */
    public void abandon() {
        connections.forEach(RelayedConnection::abandon);
    }

    /** Closes all connections; what was held back is gone. */
    public void cut() {
        connections.forEach(RelayedConnection::close);
    }

    /** Carries everything again. A connection that lost bytes is closed: what would follow made no sense. */
    public synchronized void mend() {
        delay = Duration.ZERO;
        losing.clear();
        bytesUntilCut = -1;
        connections.stream().filter(RelayedConnection::lostBytes).forEach(RelayedConnection::close);
        frozen = false;
        notifyAll();
    }

    // ---- what connections ask

    /** Waits as long as bytes are held back. */
    void holdUp() throws InterruptedException {
        long until = System.nanoTime() + delay().toNanos();
        synchronized (this) {
            while (frozen) {
                wait();
            }
        }
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private synchronized Duration delay() {
        return delay;
    }

    /** True if bytes of that connection are to vanish; it knows then that it has lost some. */
    synchronized boolean loses(Direction direction, RelayedConnection connection) {
        boolean lost = losing.contains(direction);
        if (lost) {
            connection.hasLostBytes();
        }
        return lost;
    }

    /** How many of these bytes may pass; if not all, the connection is to be closed. */
    synchronized int allowance(Direction direction, int bytes) {
        if (bytesUntilCut < 0 || direction != cutting) {
            return bytes;
        }
        int pass = (int) Math.min(bytes, bytesUntilCut);
        bytesUntilCut = pass < bytes ? -1 : bytesUntilCut - pass;
        return pass;
    }

    void forget(RelayedConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                open(server.accept());
            } catch (IOException e) {
                // closed; or this one has gone before we came to it, and the next may stay
            }
        }
    }

    private void open(Socket client) throws IOException {
        Socket upstream;
        try {
            upstream = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            client.close(); // no server: the client is told at once
            return;
        }
        RelayedConnection connection = new RelayedConnection(this, client, upstream);
        connections.add(connection);
        connection.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        mend();
        cut();
    }
}
