package io.aardappel.replicator.ydb.transport;

import com.google.common.net.HostAndPort;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tech.ydb.auth.AuthRpcProvider;
import tech.ydb.auth.NopAuthProvider;
import tech.ydb.auth.TokenAuthProvider;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.core.grpc.GrpcTransportBuilder;
import tech.ydb.core.impl.SingleChannelTransport;
import tech.ydb.core.impl.auth.GrpcAuthRpc;

/**
 * How to reach one database. Opening gives the SDK's transport, which the caller closes; it is thread-safe and reconnects
 * by itself.
 *
 * @param balanced true: endpoints are discovered and calls spread over them; false: the one endpoint named is used
 * @param auth what gives each call its ticket
 * @param authorities certificates (PEM) to trust beside the system's, or null
 * @param connectTimeout of a connection; a call made while there is none waits as long, whatever its own deadline
 */
public record Connection(
        Address where,
        boolean balanced,
        AuthRpcProvider<? super GrpcAuthRpc> auth,
        byte @Nullable [] authorities,
        Duration connectTimeout) {

    /** How long the first connection, discovery included, may take. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Calls carry no ticket. */
    public static AuthRpcProvider<? super GrpcAuthRpc> anonymous() {
        return NopAuthProvider.INSTANCE;
    }

    /** Calls carry this ticket as it is. */
    public static AuthRpcProvider<? super GrpcAuthRpc> staticToken(String token) {
        return new TokenAuthProvider(token);
    }

    /**
     * Opens the transport. Balanced, it waits for the first discovery; else nothing is sent before the first call.
     *
     * @throws RuntimeException the SDK's, when discovery failed; nothing stays open
     */
    public GrpcTransport open() {
        GrpcTransportBuilder builder = GrpcTransport.forHost(
                        HostAndPort.fromParts(where.host(), where.port()), where.database())
                .withAuthProvider(auth)
                .withConnectTimeout(connectTimeout)
                .withDiscoveryTimeout(connectTimeout);
        if (where.secure()) {
            if (authorities == null) {
                builder.withSecureConnection();
            } else {
                builder.withSecureConnection(TrustedAuthorities.withSystem(authorities));
            }
        }
        return balanced ? builder.build() : new SingleChannelTransport(builder);
    }

    /** The same without discovery: whatever is sent goes to the one endpoint named. */
    public Connection toNamedEndpoint() {
        return new Connection(where, false, auth, authorities, connectTimeout);
    }

    /** For people and logs; neither tickets nor certificates. */
    @Override
    public String toString() {
        return where + (balanced ? " (balanced)" : "");
    }
}
