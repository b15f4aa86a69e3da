package io.aardappel.access.ydb;

import com.google.common.net.HostAndPort;
import io.aardappel.access.auth.Ticket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.core.grpc.GrpcTransportBuilder;
import tech.ydb.core.impl.SingleChannelTransport;
import tech.ydb.core.impl.pool.ChannelFactoryLoader;
import tech.ydb.core.impl.pool.ManagedChannelFactory;

/**
 * How to reach one database. Opening gives the SDK's transport, which the caller closes; it is thread-safe and reconnects
 * by itself.
 *
 * @param balanced true: endpoints are discovered and calls spread over them; false: the one endpoint named is used
 * @param ticket that calls carry
 * @param authorities to trust; null means those of the runtime and the SDK's own
 * @param connectTimeout of a connection; a call made while there is none waits as long, whatever its own deadline
 */
public record Connection(
        Address where,
        boolean balanced,
        Ticket ticket,
        @Nullable TrustedAuthorities authorities,
        Duration connectTimeout) {

    /** How long the first connection, discovery included, may take. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Opens the transport. Balanced, it waits for the first discovery; else nothing is sent before the first call.
     *
     * @throws RuntimeException the SDK's, when discovery failed; nothing stays open
     */
    public GrpcTransport open() {
        GrpcTransportBuilder builder = GrpcTransport.forHost(
                        HostAndPort.fromParts(where.host(), where.port()), where.database())
                .withAuthProvider(ticket.provider())
                .addChannelInitializer(
                        channel -> channel.intercept(new TicketWatch(ticket), new ReachWatch(authorities)))
                .withConnectTimeout(connectTimeout)
                .withDiscoveryTimeout(connectTimeout);
        if (where.secure()) {
            builder.withSecureConnection();
        }
        builder.withChannelFactoryBuilder(settings -> new PromptChannels(channels(settings)));
        return balanced ? builder.build() : new SingleChannelTransport(builder);
    }

    private ManagedChannelFactory channels(GrpcTransportBuilder settings) {
        TrustedAuthorities given = authorities;
        return where.secure() && given != null
                ? new TrustingChannels(settings, given)
                : ChannelFactoryLoader.load().buildFactory(settings);
    }

    /** The same without discovery: whatever is sent goes to the one endpoint named. */
    public Connection toNamedEndpoint() {
        return new Connection(where, false, ticket, authorities, connectTimeout);
    }

    /** For people and logs; neither tickets nor certificates. */
    @Override
    public String toString() {
        return where + (balanced ? " (balanced)" : "");
    }
}
