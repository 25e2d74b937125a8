package dev.corral.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.corral.Delivery;
import dev.corral.lab.servers.Cleanup;
import dev.corral.lab.servers.Servers;
import dev.corral.lab.servers.TempFolder;
import dev.corral.testkit.Patience;
import dev.corral.testkit.Relay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Two nodes in processes of their own, a real Redis and a real PostgreSQL. Node a speaks with Redis through a relay, node
 * b straight. However the test ends, the watcher of the servers leaves none of these processes and files behind.
 */
final class Rig implements AutoCloseable {
    /** As many callers as it takes to show whether they share a load. */
    static final int FEW = 5;

    private static final int CALLERS = 8;

    final History history = new History();
    final ChaosRedis redis;
    final ChaosDatabase database;
    final Ledger ledger;
    final Relay relay;
    private final Cleanup cleanup = new Cleanup();
    private final Path temp;
    private final String jdbcUrl;
    private final String redisUri;
    private int incarnations;
    private Node a;
    private Node b;

    Rig() throws IOException {
        TempFolder folder = TempFolder.create();
        temp = folder.path();
        try {
            Servers servers = Servers.open(Optional.empty(), Optional.empty(), folder, cleanup);
            redisUri = servers.redisUri();
            // A row that was committed must outlive the kill of the server, or loads would go uncounted.
            jdbcUrl = servers.jdbcUrl() + "&options=-c%20synchronous_commit=on";
            redis = cleanup.add(new ChaosRedis(redisUri, temp.resolve("redis")));
            database = new ChaosDatabase(
                    servers.databasePid().orElseThrow(), servers.databaseLog().orElseThrow(), jdbcUrl);
            ledger = cleanup.add(new Ledger(jdbcUrl));
            relay = cleanup.add(new Relay(redis.port()));
            cleanup.add(this::closeNodes);
            a = startA();
            b = startB();
            awaitNodes();
        } catch (RuntimeException | Error | IOException e) {
            cleanup.close();
            throw e;
        }
    }

    private Node startA() {
        return start("a", "redis://127.0.0.1:" + relay.port());
    }

    private Node startB() {
        return start("b", redisUri);
    }

    private void awaitNodes() {
        nodes().forEach(Node::awaitReady);
    }

    private Node start(String name, String uri) {
        return Node.start(name + ++incarnations, temp, history, uri, redisUri, jdbcUrl);
    }

    Node a() {
        return a;
    }

    Node b() {
        return b;
    }

    List<Node> nodes() {
        return List.of(a, b);
    }

    /** A new process in the place of the one that was killed. */
    void restartA() {
        a = startA();
        a.awaitReady();
    }

    // ---- reading and writing

    /** That many callers of the node read the key, and what each got. */
    List<Call> read(Node node, String key, int callers) {
        return answers(node, key, node.read(key, callers), callers);
    }

    /** Callers of the node read the key, whose load has begun and goes on until it is opened; who they are. */
    String holdUp(Node node, String key) {
        ledger.shut(key);
        String group = node.read(key, FEW);
        ledger.awaitLoads(key, 1);
        return group;
    }

    /** What those callers got whom the node has begun to read for. */
    List<Call> answers(Node node, String key, String group, int callers) {
        history.await("callers of " + key + " on " + node + " are answered", callers, call -> isOf(call, node, group));
        return history.of(key).only(call -> isOf(call, node, group)).calls();
    }

    private static boolean isOf(Call call, Node node, String group) {
        return call.node().equals(node.name) && call.caller().startsWith(group);
    }

    /** Steady reads of that many keys on these nodes; returns when all keys are warm on each. */
    void traffic(String name, int keys, Node... nodes) {
        for (Node node : nodes) {
            node.traffic(name, keys, CALLERS);
        }
        for (Node node : nodes) {
            for (int i = 0; i < keys; i++) {
                awaitVersion(node, name + i, 1, 0);
            }
        }
    }

    void quiet() {
        nodes().forEach(Node::quiet);
    }

    /** Waits until a read on the node, begun after that instant, has brought that version. */
    void awaitVersion(Node node, String key, long version, long since) {
        history.await(
                node + " reads version " + version + " of " + key,
                1,
                call -> call.node().equals(node.name)
                        && call.key().equals(key)
                        && call.began() > since
                        && call.version() >= version);
    }

    /** They got the row as it is since its one change. */
    static void assertChanged(Iterable<Call> calls) {
        assertThat(calls).allSatisfy(call -> assertThat(call.version()).isEqualTo(2));
    }

    /** Changes the row and has the node invalidate the key. */
    Write change(Node node, String key) {
        return node.invalidate(key, ledger.change(key));
    }

    // ---- afterwards

    /** Waits until both nodes use Redis. */
    void awaitStore() {
        for (Node node : nodes()) {
            Patience.until(
                    node + " uses Redis", () -> node.invalidate("probe", 0).delivery() == Delivery.APPLIED);
        }
    }

    /** An invalidation on either node is seen by both, and costs one load. */
    void assertConverged(String keys) {
        awaitStore();
        for (Node writer : nodes()) {
            String key = keys + "after-" + writer.name;
            nodes().forEach(node -> read(node, key, FEW));
            Write write = change(writer, key);
            assertThat(write.applied()).isTrue();
            for (Node node : nodes()) {
                Patience.until(
                        node + " sees it", () -> read(node, key, FEW).stream().allMatch(call -> call.version() == 2));
            }
            assertThat(history.of(key).errors()).isEmpty();
            assertThat(history.of(key).resurrections()).isEmpty();
            assertThat(ledger.loads(key)).as("loads after the fault").hasSize(2);
        }
    }

    /** Whatever a fault that failed has left: everything runs again, with new nodes. */
    void heal() {
        closeNodes();
        relay.mend();
        if (!redis.isRunning()) {
            redis.start();
        }
        redis.goOn();
        redis.set("maxmemory", "0");
        if (!database.isRunning()) {
            database.start();
        }
        ledger.reconnect();
        a = startA();
        b = startB();
        awaitNodes();
    }

    private void closeNodes() {
        for (Node node : new Node[] {a, b}) {
            if (node != null) {
                node.close();
            }
        }
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
