package dev.corral.redis;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in a JVM of its own. Its loader takes 300 ms and is counted in Redis. It takes orders, keys to read with a
 * hundred threads at once, from a list of its own, and reports what they got; it ends with its parent.
 */
final class NodeProcess {
    static final int CALLERS = 100;
    private static final long LOAD_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private NodeProcess() {}

    /** Arguments: the server's URI and the node's name. */
    public static void main(String[] arguments) throws Exception {
        endWithParent();
        String uri = arguments[0];
        String name = arguments[1];
        RedisClient client = RedisClient.create(uri);
        StatefulRedisConnection<String, String> counters = client.connect();
        StatefulRedisConnection<String, String> orders = client.connect();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (RedisStore store = RedisStore.connect(uri);
                Shop shop = new Shop(store, "processes")) {
            shop.source(key -> load(counters, key));
            counters.sync().rpush("reports", "ready");
            while (true) {
                KeyValue<String, String> order = orders.sync().blpop(0, "orders:" + name);
                counters.sync().rpush("reports", String.join(",", read(shop, threads, order.getValue())));
            }
        }
    }

    static String load(StatefulRedisConnection<String, String> counters, String key) {
        long load = counters.sync().incr("loads:" + key);
        long end = System.nanoTime() + LOAD_NANOS; // what the query would cost
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return "load " + load;
    }

    private static Set<String> read(Shop shop, ExecutorService threads, String key) throws Exception {
        CyclicBarrier start = new CyclicBarrier(CALLERS);
        List<Future<String>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(threads.submit(() -> {
                start.await(10, TimeUnit.SECONDS);
                return shop.get(key);
            }));
        }
        Set<String> answers = new TreeSet<>();
        for (Future<String> caller : callers) {
            answers.add(caller.get(20, TimeUnit.SECONDS));
        }
        return answers;
    }

    private static void endWithParent() {
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException e) {
                // gone too
            }
            Runtime.getRuntime().halt(1);
        });
        watcher.setDaemon(true);
        watcher.start();
    }
}
