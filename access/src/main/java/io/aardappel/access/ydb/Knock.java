package io.aardappel.access.ydb;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.ssl.YandexTrustManagerFactory;

/**
 * Knocks at an address before the SDK does, because the SDK waits out its whole connect timeout for a port that is closed
 * and then says no more than that it waited. Sends no request and no ticket.
 */
public final class Knock {
    /** What every HTTP/2 client says first, with settings that set nothing. */
    private static final byte[] GREETING = greeting();

    private static final int FRAME_HEADER_BYTES = 9;
    private static final int FRAME_TYPE_AT = 3;
    private static final int SETTINGS_FRAME = 4;
    /** First byte of a TLS alert, which is how a TLS server answers a greeting it cannot read. */
    private static final int TLS_ALERT = 0x15;

    private final Address where;
    private final @Nullable TrustedAuthorities authorities;
    private final Duration timeout;

    private Knock(Address where, @Nullable TrustedAuthorities authorities, Duration timeout) {
        this.where = where;
        this.authorities = authorities;
        this.timeout = timeout;
    }

    /**
     * What stands between us and a server that speaks gRPC there; empty when nothing does, or when a proxy lies between, which
     * only the SDK knows how to pass. Waits, for each step at most the connection's time limit.
     */
    public static Optional<Obstacle> at(Connection connection) {
        Address where = connection.where();
        return isBehindProxy(where)
                ? Optional.empty()
                : new Knock(where, connection.authorities(), connection.connectTimeout()).obstacle();
    }

    private static boolean isBehindProxy(Address where) {
        if (System.getenv("GRPC_PROXY_EXP") != null) {
            return true;
        }
        ProxySelector selector = ProxySelector.getDefault();
        return selector != null
                && selector.select(URI.create("https://" + where.host() + ":" + where.port())).stream()
                        .anyMatch(proxy -> proxy.type() != Proxy.Type.DIRECT);
    }

    private Optional<Obstacle> obstacle() {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(where.host());
        } catch (UnknownHostException unknown) {
            return told("the name " + where.host() + " is not known to this machine", "Correct the host");
        }
        Optional<Obstacle> last = Optional.empty();
        for (InetAddress address : addresses) {
            last = at(address);
            if (last.isEmpty()) {
                return last;
            }
        }
        return last;
    }

    private Optional<Obstacle> at(InetAddress address) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(millis());
            socket.connect(new InetSocketAddress(address, where.port()), millis());
            return where.secure() ? overTls(socket) : inPlain(socket);
        } catch (SocketTimeoutException silent) {
            return told(
                    "nothing answers at " + address.getHostAddress() + " port " + where.port() + " within "
                            + timeout.toMillis() + " ms",
                    "Check host and port, and that no firewall lies between");
        } catch (ConnectException refused) {
            return told(
                    "port " + where.port() + " of " + address.getHostAddress() + " is closed",
                    "Start the server, or correct host and port");
        } catch (NoRouteToHostException unroutable) {
            return told(
                    "there is no route to " + address.getHostAddress(),
                    "Check the host, and the network of this machine");
        } catch (IOException broken) {
            return told("the connection broke: " + broken.getMessage(), "Check host and port");
        }
    }

    private Optional<Obstacle> inPlain(Socket socket) throws IOException {
        socket.getOutputStream().write(GREETING);
        socket.getOutputStream().flush();
        byte[] answer;
        try {
            answer = read(socket.getInputStream());
        } catch (SocketTimeoutException silent) {
            return told(
                    "the server accepts connections but says nothing within " + timeout.toMillis() + " ms",
                    "Check that this is the gRPC port of the database, and that the server is well");
        } catch (IOException closed) {
            answer = new byte[0];
        }
        if (answer.length == FRAME_HEADER_BYTES && answer[FRAME_TYPE_AT] == SETTINGS_FRAME) {
            return Optional.empty();
        }
        if (answer.length == 0 || answer[0] == TLS_ALERT) {
            return told(
                    "the server does not speak gRPC without TLS",
                    "Write grpcs:// instead of grpc://, or correct the port");
        }
        return told(
                "what answers there does not speak gRPC", "Correct the port: it must be the gRPC port of the database");
    }

    private Optional<Obstacle> overTls(Socket socket) throws IOException {
        // the socket is closed with the one below it
        try (SSLSocket secure =
                (SSLSocket) context().getSocketFactory().createSocket(socket, bareHost(), where.port(), true)) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"h2"});
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return Optional.empty();
        } catch (SSLException refused) {
            return Optional.of(refusedHandshake(refused));
        } catch (EOFException | SocketException closed) {
            return told(
                    "the server closed the connection instead of beginning TLS",
                    "Write grpc:// instead of grpcs:// if it has no TLS, or correct the port");
        }
    }

    private Obstacle refusedHandshake(SSLException refused) {
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                TrustedAuthorities given = authorities;
                return given == null
                        ? new Obstacle(
                                "the server's certificate is not accepted: " + TrustedAuthorities.words(refused),
                                "Name its authority's file under replicator (source_tls_ca_file, destination_tls_ca_file;"
                                        + " tls.caSecretRef of a Replication), or the host that the certificate is for")
                        : new Obstacle(
                                "the server's certificate is not accepted: it "
                                        + given.refusal(TrustedAuthorities.words(refused)),
                                "It is named under replicator (source_tls_ca_file, destination_tls_ca_file; tls.caSecretRef of a"
                                        + " Replication)");
            }
        }
        String words = String.valueOf(refused.getMessage());
        return words.contains("SSL message") || words.contains("terminated the handshake")
                ? new Obstacle(
                        "the server does not speak TLS",
                        "Write grpc:// instead of grpcs:// if it has no TLS, or correct the port")
                : new Obstacle("TLS could not be agreed on: " + words, "Check the TLS settings of the server");
    }

    /** Trusts what the SDK trusts: the system's authorities and its own, or those given. */
    private SSLContext context() {
        if (authorities != null) {
            return authorities.context();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new YandexTrustManagerFactory("").getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("the runtime cannot set up TLS", broken);
        }
    }

    private static byte[] read(InputStream answer) throws IOException {
        return answer.readNBytes(FRAME_HEADER_BYTES);
    }

    private String bareHost() {
        return where.host().startsWith("[")
                ? where.host().substring(1, where.host().length() - 1)
                : where.host();
    }

    private int millis() {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeout.toMillis()));
    }

    private static Optional<Obstacle> told(String what, String remedy) {
        return Optional.of(new Obstacle(what, remedy));
    }

    private static byte[] greeting() {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] greeting = new byte[preface.length + FRAME_HEADER_BYTES];
        System.arraycopy(preface, 0, greeting, 0, preface.length);
        greeting[preface.length + FRAME_TYPE_AT] = SETTINGS_FRAME;
        return greeting;
    }
}
