package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.grpc.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes connections on to a port of this machine, under an address of its own. Closing it breaks them all. */
public final class Forwarder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final String LOCALHOST = "localhost";
    private static final int BACKLOG = 50;
    private static final int CLOSE_SECONDS = 10;

    /** Speaks first with whoever connects. */
    interface Doorkeeper {
        /** Whether the connection is passed on; else it is closed. */
        boolean admits(Socket from) throws IOException;
    }

    private final ServerSocket listening;
    private final int target;
    private final Doorkeeper doorkeeper;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Listens at once.
     *
     * @param address to listen on
     * @param port to listen on
     * @param target port of this machine to pass on to
     */
    public Forwarder(String address, int port, int target) {
        this(listen(address, port), target, from -> true);
    }

    private Forwarder(ServerSocket listening, int target, Doorkeeper doorkeeper) {
        this.listening = listening;
        this.target = target;
        this.doorkeeper = doorkeeper;
        threads.execute(this::accept);
    }

    /** Takes connections over TLS and passes on what they carry without it, as a server with this certificate. */
    static Forwarder encrypted(ServerTls tls, int port, int target) {
        try {
            SSLServerSocket listening = (SSLServerSocket) tls.jdkContext()
                    .getServerSocketFactory()
                    .createServerSocket(port, BACKLOG, InetAddress.getByName(LOCALHOST));
            SSLParameters parameters = listening.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            listening.setSSLParameters(parameters);
            return new Forwarder(listening, target, from -> true);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + LOCALHOST + ":" + port, e);
        }
    }

    /** Takes connections that a doorkeeper admits. */
    static Forwarder guarded(Doorkeeper doorkeeper, int target) {
        return new Forwarder(listen(LOCALHOST, LastingPort.free()), target, doorkeeper);
    }

    private static ServerSocket listen(String address, int port) {
        try {
            return new ServerSocket(port, BACKLOG, InetAddress.getByName(address));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ":" + port, e);
        }
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket from = listening.accept();
                open.add(from);
                run(() -> serve(from), from);
            } catch (IOException closed) {
                end();
            }
        }
    }

    /** A connection that comes while everything ends, ends too. */
    private void run(Runnable task, Socket socket) throws IOException {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException over) {
            LOG.debug("closed while a connection came", over);
            socket.close();
        }
    }

    private void serve(Socket from) {
        try (from) {
            if (doorkeeper.admits(from)) {
                Socket to = new Socket(InetAddress.getByName(LOCALHOST), target);
                open.add(to);
                run(() -> pass(to, from), to);
                pass(from, to);
            }
        } catch (IOException broken) {
            LOG.debug("a connection is not passed on", broken);
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

    /** The port is free only when no thread waits at it any more: closing a socket from another thread does not wait for that. */
    @Override
    public void close() {
        end();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("connections from port " + port() + " do not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
