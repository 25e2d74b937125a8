package dev.corral.lab.servers;

import dev.corral.lab.LabException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Things to close at the end, last opened first: when the run ends, and just as well when Ctrl-C or SIGTERM ends the
 * process. Each is closed once, whoever comes first.
 */
public final class Cleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAll, "corral-cleanup");
    private boolean closed;

    /** Begins to watch for the end of the process. */
    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Closes this at the end, before everything added earlier.
     *
     * @throws LabException if the end has come already; it is closed then
     */
    public synchronized <T extends AutoCloseable> T add(T closeable) {
        if (closed) {
            close(closeable);
            throw new LabException("stopped");
        }
        open.push(closeable);
        return closeable;
    }

    /** Closes this now instead of at the end. */
    public void closeEarly(AutoCloseable closeable) {
        if (remove(closeable)) {
            close(closeable);
        }
    }

    @Override
    public void close() {
        closeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            LOG.debug("the process ends", shuttingDown);
        }
    }

    private synchronized void closeAll() {
        closed = true;
        while (!open.isEmpty()) {
            close(open.pop());
        }
    }

    private synchronized boolean remove(AutoCloseable closeable) {
        return open.remove(closeable);
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            LOG.warn("could not close {}", closeable, e);
        }
    }
}
