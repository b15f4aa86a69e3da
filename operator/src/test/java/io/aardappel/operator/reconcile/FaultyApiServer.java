package io.aardappel.operator.reconcile;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocketFactory;

/**
 * Stands before a real API server and does what that does not do on demand: it refuses, is slow, loses answers, cuts
 * watches, lets them fall silent and calls them outdated. Each connection carries one request, or one watch. What no
 * fault was ordered for passes as it is. Thread-safe.
 */
final class FaultyApiServer implements AutoCloseable {
    private static final int HEAD_BYTES_MAX = 64 << 10;
    private static final String STATUS =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"%s\",\"code\":%d,\"message\":\"%s\"}";

    private static final String WEB_SOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /**
     * What came, and what became of it.
     *
     * @param path with its query
     * @param code of the answer; 0 where there was none
     * @param passed whether the API server got it
     * @param nanos when that was, by {@link System#nanoTime}
     */
    record Request(String method, String path, int code, boolean passed, long nanos) {
        private static Request of(Head head, int code, boolean passed) {
            return new Request(head.method(), head.path(), code, passed, System.nanoTime());
        }

        boolean isWatch() {
            return path.contains("watch=true");
        }

        boolean isWrite() {
            return !method.equals("GET");
        }

        boolean wrote() {
            return isWrite() && passed && code / 100 == 2;
        }
    }

    /** What is done with a request. */
    sealed interface Fault {
        /**
         * It is answered without the API server.
         *
         * @param header one more, such as {@code Retry-After: 1}; empty for none
         */
        record Answer(int code, String reason, String message, String header) implements Fault {}

        /** It passes, and the answer to it is lost with the connection. */
        record LoseAnswer() implements Fault {}

        /** A watch begins, and is told at once that its version is too old. */
        record Outdate() implements Fault {}
    }

    private static final class Order {
        private final Predicate<Request> chosen;
        private final Fault fault;
        private int left;

        Order(Predicate<Request> chosen, Fault fault, int times) {
            this.chosen = chosen;
            this.fault = fault;
            this.left = times;
        }

        synchronized boolean takes(Request request) {
            if (left == 0 || !chosen.test(request)) {
                return false;
            }
            left--;
            return true;
        }
    }

    private record Head(String method, String path, List<String> headers) {
        Optional<String> header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .findFirst();
        }

        boolean upgrades() {
            return header("Upgrade").isPresent();
        }

        /** As it is passed on. */
        byte[] bytes() {
            StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
            headers.stream()
                    .filter(line -> upgrades() || !line.toLowerCase(Locale.ROOT).startsWith("connection:"))
                    .forEach(line -> text.append(line).append("\r\n"));
            return text.append(upgrades() ? "\r\n" : "Connection: close\r\n\r\n")
                    .toString()
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** A watch that is open. */
    private static final class Watching {
        private final Socket client;
        private volatile boolean silent;

        Watching(Socket client) {
            this.client = client;
        }
    }

    private final Config real;
    private final URI address;
    private final SSLSocketFactory sockets;
    private final ServerSocket door;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread made = new Thread(task, "faulty-api-server");
        made.setDaemon(true);
        return made;
    });
    private final List<Order> orders = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Watching> watches = ConcurrentHashMap.newKeySet();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final Object gate = new Object();
    private boolean shut;
    private int waiting;

    private FaultyApiServer(Config real) throws IOException, GeneralSecurityException {
        this.real = real;
        this.address = URI.create(real.getMasterUrl());
        this.sockets = SSLUtils.sslContext(real).getSocketFactory();
        this.door = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::serve);
    }

    /** Passes everything on, until something else is ordered. */
    static FaultyApiServer before(KubernetesClient client) {
        try {
            return new FaultyApiServer(client.getConfiguration());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no door before the API server", e);
        }
    }

    /** One whose requests pass here. It repeats once what fails; the operator's does so ten times. Closed with this. */
    synchronized KubernetesClient client() {
        KubernetesClient made = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://" + door.getInetAddress().getHostAddress() + ":" + door.getLocalPort())
                        .withOauthToken(real.getOauthToken())
                        .withHttp2Disable(true)
                        .withRequestRetryBackoffLimit(1)
                        .build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter()))
                .build();
        clients.add(made);
        return made;
    }

    /** Of the next requests of this kind, so many. */
    void order(Predicate<Request> chosen, int times, Fault fault) {
        orders.add(new Order(chosen, fault, times));
    }

    /** Nothing that was ordered happens any more. */
    void relent() {
        orders.clear();
        open();
    }

    /** Requests wait from now on, watches that are open go on. */
    void shut() {
        synchronized (gate) {
            shut = true;
        }
    }

    /** Requests that wait go on. */
    void open() {
        synchronized (gate) {
            shut = false;
            gate.notifyAll();
        }
    }

    /** Requests that wait. */
    int waiting() {
        synchronized (gate) {
            return waiting;
        }
    }

    /** Watches that are open stay so, and nothing comes of them any more. */
    void silenceWatches() {
        watches.forEach(watch -> watch.silent = true);
    }

    /** Watches that are open break off. */
    void cutWatches() {
        watches.forEach(watch -> close(watch.client));
    }

    int watches() {
        return (int) watches.stream().filter(watch -> !watch.silent).count();
    }

    /** In the order in which they ended; those of before are forgotten by {@link #forget}. */
    List<Request> requests() {
        return List.copyOf(requests);
    }

    void forget() {
        requests.clear();
    }

    private void serve() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                client.setTcpNoDelay(true);
                open.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            Head head = head(in);
            awaitGate();
            Request request = Request.of(head, 0, false);
            Optional<Fault> fault = orders.stream()
                    .filter(order -> order.takes(request))
                    .map(order -> order.fault)
                    .findFirst();
            if (fault.isPresent() && fault.get() instanceof Fault.Answer answer) {
                requests.add(Request.of(head, answer.code(), false));
                client.getOutputStream().write(bytes(answer));
                client.shutdownOutput();
                in.transferTo(OutputStream.nullOutputStream()); // closed with something unread the answer could be lost
            } else if (fault.isPresent() && fault.get() instanceof Fault.Outdate) {
                requests.add(Request.of(head, 410, false));
                outdate(head, client, in);
            } else {
                pass(head, client, in, fault.isPresent());
            }
        } catch (EOFException idle) {
            // a connection that was opened for nothing
        } catch (IOException broken) {
            // one of both ends went; the other one is closed with it
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    private void awaitGate() throws InterruptedException {
        synchronized (gate) {
            waiting++;
            while (shut) {
                gate.wait();
            }
            waiting--;
        }
    }

    private static Head head(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!endsHead(bytes)) {
            int one = in.read();
            if (one < 0) {
                throw new EOFException("no whole head");
            }
            bytes.write(one);
            if (bytes.size() > HEAD_BYTES_MAX) {
                throw new IOException("a head of more than " + HEAD_BYTES_MAX + " bytes");
            }
        }
        List<String> lines =
                List.of(bytes.toString(StandardCharsets.ISO_8859_1).strip().split("\r\n"));
        String[] first = lines.get(0).split(" ");
        return new Head(first[0], first[1], lines.subList(1, lines.size()));
    }

    private static boolean endsHead(ByteArrayOutputStream bytes) {
        byte[] all = bytes.toByteArray();
        int end = all.length;
        return end >= 4 && all[end - 4] == '\r' && all[end - 3] == '\n' && all[end - 2] == '\r' && all[end - 1] == '\n';
    }

    private static byte[] bytes(Fault.Answer answer) {
        String body = STATUS.formatted(answer.reason(), answer.code(), answer.message());
        return ("HTTP/1.1 " + answer.code() + " " + answer.reason() + "\r\nContent-Type: application/json\r\n"
                        + (answer.header().isEmpty() ? "" : answer.header() + "\r\n")
                        + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** As the API server does it: the watch begins, and its first event is an error. */
    private static void outdate(Head head, Socket client, InputStream in) throws IOException {
        String event =
                "{\"type\":\"ERROR\",\"object\":" + STATUS.formatted("Expired", 410, "too old resource version") + "}";
        byte[] text = event.getBytes(StandardCharsets.UTF_8);
        OutputStream out = client.getOutputStream();
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accept(head.header("Sec-WebSocket-Key").orElseThrow()) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        out.write(ByteBuffer.allocate(text.length + 4)
                .put((byte) 0x81)
                .put((byte) 126)
                .putShort((short) text.length)
                .put(text)
                .array());
        out.write(new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8});
        out.flush();
        in.transferTo(OutputStream.nullOutputStream());
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((key + WEB_SOCKET_GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private void pass(Head head, Socket client, InputStream in, boolean answerLost) throws IOException {
        try (Socket server = sockets.createSocket(address.getHost(), address.getPort())) {
            server.setTcpNoDelay(true);
            open.add(server);
            server.getOutputStream().write(head.bytes());
            server.getOutputStream().flush();
            threads.execute(() -> upwards(in, server));
            InputStream answer = new BufferedInputStream(server.getInputStream());
            Head said = head(answer);
            Request done = Request.of(head, Integer.parseInt(said.path()), true);
            requests.add(done);
            if (answerLost) {
                return;
            }
            OutputStream out = client.getOutputStream();
            out.write(said.method().getBytes(StandardCharsets.ISO_8859_1));
            out.write((" " + said.path() + " as the API server said\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(String.join("\r\n", said.headers()).getBytes(StandardCharsets.ISO_8859_1));
            out.write("\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            downwards(done, answer, client);
        } catch (IOException broken) {
            close(client);
        }
    }

    private void upwards(InputStream in, Socket server) {
        try {
            in.transferTo(server.getOutputStream());
        } catch (IOException broken) {
            close(server);
        }
    }

    private void downwards(Request request, InputStream answer, Socket client) throws IOException {
        Watching watching = new Watching(client);
        if (request.isWatch()) {
            watches.add(watching);
        }
        try {
            byte[] buffer = new byte[1 << 14];
            OutputStream out = client.getOutputStream();
            for (int read = answer.read(buffer); read >= 0; read = answer.read(buffer)) {
                if (!watching.silent) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
            if (watching.silent) {
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } finally {
            watches.remove(watching);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket that cannot be closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        clients.forEach(KubernetesClient::close);
        door.close();
        open();
        open.forEach(FaultyApiServer::close);
        threads.shutdownNow();
    }
}
