package dev.corral.lab.chaos;

import dev.corral.Delivery;
import dev.corral.redis.RedisStore;
import io.lettuce.core.RedisClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A node in a process of its own. Takes orders, one a line, and prints a line for each thing that happens; ends when its
 * parent does.
 *
 * <pre>
 * read key callers          → begun n .    call … . for each caller
 * traffic name keys callers → call … . and so on
 * quiet                     → quiet .
 * invalidate key            → wrote key APPLIED nanos .
 * </pre>
 */
final class NodeMain {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private NodeMain() {}

    /**
     * Arguments: the node's name, the way to Redis for Corral, the straight way to Redis, the database, and the folder
     * by which the watcher knows whose process this is.
     */
    public static void main(String[] arguments) throws Exception {
        RedisStore store = RedisStore.connect(arguments[1]);
        Source source = new Source(
                arguments[0],
                arguments[3],
                RedisClient.create(arguments[2]).connect().async());
        NodeCaches caches = new NodeCaches(store, source);
        Callers callers = new Callers(caches::get, NodeMain::say);
        say("ready .");
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                carryOut(order.split(" "), caches, callers);
            }
        } catch (IOException e) {
            // the parent is gone
        }
        Runtime.getRuntime().halt(0);
    }

    private static void carryOut(String[] order, NodeCaches caches, Callers callers) throws InterruptedException {
        switch (order[0]) {
            case "read" -> callers.together(order[1], Integer.parseInt(order[2]));
            case "traffic" -> callers.steadily(order[1], Integer.parseInt(order[2]), Integer.parseInt(order[3]));
            case "quiet" -> callers.quiet();
            case "invalidate" -> {
                Delivery delivery = caches.invalidate(order[1]);
                say("wrote " + order[1] + " " + delivery + " " + System.nanoTime() + " .");
            }
            default -> throw new IllegalArgumentException(String.join(" ", order));
        }
    }

    private static synchronized void say(String line) {
        OUT.print(line + "\n");
        OUT.flush();
    }
}
