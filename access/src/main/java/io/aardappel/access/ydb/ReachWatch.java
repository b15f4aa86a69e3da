package io.aardappel.access.ydb;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says in words why a server cannot be reached, where gRPC names classes of its own: whose certificate is not accepted by which
 * authorities, and what to do; that a port is closed; that a connection broke. A call that ends so is otherwise as it was.
 * Thread-safe.
 */
final class ReachWatch implements ClientInterceptor {
    private final @Nullable TrustedAuthorities authorities;

    /** @param authorities that are trusted; null means those of the runtime and the SDK's own */
    ReachWatch(@Nullable TrustedAuthorities authorities) {
        this.authorities = authorities;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        String server = next.authority();
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<A>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                super.onClose(inWords(server, status), trailers);
                            }
                        },
                        headers);
            }
        };
    }

    private Status inWords(String server, Status status) {
        Throwable cause = status.getCause();
        return status.getCode() == Status.Code.UNAVAILABLE && cause != null
                ? Status.UNAVAILABLE.withDescription(words(server, cause))
                : status;
    }

    private String words(String server, Throwable failed) {
        Optional<CertificateException> refused = find(failed, CertificateException.class);
        if (refused.isPresent()) {
            return certificate(server, refused.get());
        }
        Optional<SSLException> tls = find(failed, SSLException.class);
        if (tls.isPresent()) {
            return "TLS could not be agreed on with " + server + ": "
                    + tls.get().getMessage();
        }
        if (find(failed, UnknownHostException.class).isPresent()) {
            return "the host of " + server + " is not known to this machine";
        }
        if (find(failed, ConnectException.class).isPresent()) {
            return "no connection can be made to " + server + ": " + plain(failed);
        }
        return find(failed, IOException.class).isPresent()
                ? "the connection to " + server + " broke: " + plain(failed)
                : server + " cannot be reached: " + plain(failed);
    }

    private String certificate(String server, CertificateException refused) {
        TrustedAuthorities given = authorities;
        return "the certificate of " + server + " "
                + (given == null
                        ? "is not accepted by the authorities of the runtime (" + TrustedAuthorities.words(refused)
                                + "); name its authority's file under replicator (source_tls_ca_file, destination_tls_ca_file;"
                                + " tls.caSecretRef of a Replication), or connect by the host that it is for"
                        : given.refusal(TrustedAuthorities.words(refused)));
    }

    private static <T extends Throwable> Optional<T> find(Throwable failed, Class<T> kind) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** Without the names of system calls that Netty puts before it. */
    private static String plain(Throwable failed) {
        String message = failed.getMessage();
        return message == null ? "it was closed" : message.replaceFirst("^\\w+\\(\\.\\.\\) failed[^:]*: ", "");
    }
}
