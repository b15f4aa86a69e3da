package io.aardappel.e2e.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes connections on to a port of this machine, under an address of its own. Closing it breaks them all. */
final class Forwarder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final int BACKLOG = 50;

    private final ServerSocket listening;
    private final int target;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Listens at once.
     *
     * @param port 0 picks a free one
     * @param target port to pass on to
     */
    Forwarder(String address, int port, int target) {
        this.target = target;
        try {
            this.listening = new ServerSocket(port, BACKLOG, InetAddress.getByName(address));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ":" + port, e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket from = listening.accept();
                open.add(from);
                Socket to = new Socket(InetAddress.getByName("localhost"), target);
                open.add(to);
                threads.execute(() -> pass(from, to));
                threads.execute(() -> pass(to, from));
            } catch (IOException closed) {
                end();
            }
        }
    }

    /** Until one of both ends is closed. */
    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException broken) {
            LOG.debug("a connection is over; the other direction ends with it", broken);
        }
    }

    private void end() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end the forwarding from port " + port(), e);
        }
    }

    @Override
    public void close() {
        end();
        threads.shutdown();
    }
}
