package dev.corral.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/** Stands between a client and its server, and makes the network misbehave. */
final class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile boolean holding;

    Relay(int target) throws IOException {
        this(target, ServerSocketFactory.getDefault());
    }

    /** With the factory of a TLS context, clients speak TLS with it, and it speaks plainly with the server. */
    Relay(int target, ServerSocketFactory sockets) throws IOException {
        this.target = target;
        this.server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    String uri() {
        return "redis://127.0.0.1:" + port();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Lines that have subscribed get no more bytes from the server; lines opened from now on do. */
    void deafen() {
        lines.stream().filter(line -> line.subscribed).forEach(line -> line.deaf = true);
    }

    /** Holds back what clients send, as a network that has stopped to carry one way. */
    void hold(boolean hold) {
        this.holding = hold;
    }

    /** Connections open now carry nothing any more, in either direction, and nobody closes them. */
    void abandon() {
        lines.forEach(line -> line.dead = true);
    }

    /** Cuts all connections; what was held back is gone. */
    void cut() {
        lines.forEach(Line::close);
        lines.clear();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Line line = new Line(server.accept());
                lines.add(line);
                daemon(line::toServer);
                daemon(line::toClient);
            } catch (IOException e) {
                if (!server.isClosed()) {
                    lines.clear();
                }
            }
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private final class Line {
        private final Socket client;
        private final Socket upstream;
        private volatile boolean subscribed;
        private volatile boolean deaf;
        private volatile boolean dead;

        Line(Socket client) throws IOException {
            this.client = client;
            this.upstream = new Socket(InetAddress.getLoopbackAddress(), target);
        }

        void toServer() {
            pump(client, upstream, true);
        }

        void toClient() {
            pump(upstream, client, false);
        }

        private void pump(Socket from, Socket to, boolean outward) {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (outward && new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("SUBSCRIBE")) {
                        subscribed = true;
                    }
                    boolean dropped = dead || (outward ? holding : deaf);
                    if (!dropped) {
                        out.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                // one side is gone; so is the other
            } finally {
                close();
            }
        }

        void close() {
            for (Socket socket : List.of(client, upstream)) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
