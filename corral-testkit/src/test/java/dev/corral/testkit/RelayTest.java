package dev.corral.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.corral.testkit.Relay.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault, in front of a server that sends everything back. */
class RelayTest {
    private final AtomicInteger received = new AtomicInteger();
    private ServerSocket echo;
    private Relay relay;
    private Socket client;

    @BeforeEach
    void open() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RelayedConnection.daemon(this::serve);
        relay = new Relay(echo.getLocalPort());
        client = connect();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        relay.close();
        echo.close();
    }

    private void serve() {
        while (!echo.isClosed()) {
            try {
                Socket accepted = echo.accept();
                RelayedConnection.daemon(() -> {
                    try (accepted) {
                        for (int next = accepted.getInputStream().read(); next >= 0; ) {
                            received.incrementAndGet();
                            accepted.getOutputStream().write(next);
                            next = accepted.getInputStream().read();
                        }
                    } catch (IOException e) {
                        // reset by a test
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String receive(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(100);
        assertThatThrownBy(() -> receive(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(10_000);
    }

    @Test
    void bytesGoThereAndBack() throws IOException {
        send(client, "hello");
        assertThat(receive(client, 5)).isEqualTo("hello");
    }

    @Test
    void whatIsDelayedArrivesLaterAndInItsOrder() throws IOException {
        relay.delay(Duration.ofMillis(50));
        long sent = System.nanoTime();
        send(client, "one");
        send(client, "two");
        assertThat(receive(client, 6)).isEqualTo("onetwo");
        assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void whatIsHeldBackArrivesOnceItMay() throws IOException {
        relay.freeze();
        send(client, "late");
        assertSilent(client);
        relay.mend();
        assertThat(receive(client, 4)).isEqualTo("late");
    }

    @Test
    void aConnectionThatLostBytesIsClosedWhenTheFaultEnds() throws IOException {
        relay.lose(Direction.TO_SERVER);
        send(client, "lost");
        assertSilent(client);
        relay.mend();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        try (Socket next = connect()) {
            send(next, "next");
            assertThat(receive(next, 4)).isEqualTo("next");
        }
    }

    @Test
    void theOtherDirectionIsNotLost() throws IOException {
        relay.lose(Direction.TO_CLIENT);
        send(client, "hello");
        Patience.until("the server has it", () -> received.get() == 5);
        assertSilent(client);
    }

    @Test
    void aConnectionIsClosedAfterTheByteThatWasChosen() throws IOException {
        relay.cutAfter(Direction.TO_CLIENT, 7);
        send(client, "12345");
        assertThat(receive(client, 5)).isEqualTo("12345");
        assertThat(relay.hasCut()).isFalse();
        send(client, "67890");
        assertThat(receive(client, 5)).isEqualTo("67");
        assertThat(relay.hasCut()).isTrue();
        try (Socket next = connect()) {
            send(next, "carried");
            assertThat(receive(next, 7)).isEqualTo("carried");
        }
    }

    @Test
    void aCutOnTheWayToTheServerLeavesHalfOfWhatWasSent() throws IOException {
        relay.cutAfter(Direction.TO_SERVER, 3);
        send(client, "12345");
        Patience.until("the cut", relay::hasCut);
        assertThat(client.getInputStream().readAllBytes().length).isLessThanOrEqualTo(3);
        assertThat(received).hasValueLessThanOrEqualTo(3);
    }

    @Test
    void onlyConnectionsThatSentTheTextGoDeaf() throws IOException {
        try (Socket listener = connect()) {
            send(listener, "SUBSCRIBE");
            assertThat(receive(listener, 9)).isEqualTo("SUBSCRIBE");
            send(client, "hello");
            assertThat(receive(client, 5)).isEqualTo("hello");
            relay.deafen("SUBSCRIBE");
            send(listener, "x");
            assertSilent(listener);
            send(client, "hello");
            assertThat(receive(client, 5)).isEqualTo("hello");
        }
    }

    @Test
    void anAbandonedConnectionStaysOpenAndCarriesNothing() throws IOException {
        send(client, "a");
        assertThat(receive(client, 1)).isEqualTo("a");
        relay.abandon();
        send(client, "b");
        assertSilent(client);
        relay.mend();
        send(client, "c");
        assertSilent(client);
    }

    @Test
    void allConnectionsAreCut() throws IOException {
        send(client, "a");
        assertThat(receive(client, 1)).isEqualTo("a");
        relay.cut();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void withoutAServerClientsAreToldAtOnce() throws IOException {
        echo.close();
        try (Socket next = connect()) {
            assertThat(next.getInputStream().read()).isEqualTo(-1);
        }
    }
}
