package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.topic.TopicFaults;
import io.aardappel.emulator.grpc.topic.TopicService;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The gRPC server with all services of one node. */
public final class YdbServer implements AutoCloseable {
    private static final int MESSAGE_BYTES_MAX = 64 << 20;
    private static final long STOP_GRACE_SECONDS = 1;
    private static final long EXPIRY_SECONDS = 5;

    private final ServerContext context;
    private final Server server;
    private final Calls calls;
    private final TopicService topics;
    private final HealthStatusManager health = new HealthStatusManager();
    private final ScheduledFuture<?> expiry;

    private YdbServer(ServerContext context, InetSocketAddress listen, @Nullable ServerTls tls) {
        this.context = context;
        this.calls = new Calls(context);
        this.topics = new TopicService(context, calls);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(listen)
                .executor(context.workers())
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new CallInterceptor(context.accounts()));
        if (tls != null) {
            builder.sslContext(tls.context());
        }
        services(tls != null).forEach(service -> builder.addService(UnparsableRequests.guard(service)));
        this.server = builder.build();
        this.expiry = context.timer()
                .scheduleWithFixedDelay(context.sessions()::expire, EXPIRY_SECONDS, EXPIRY_SECONDS, TimeUnit.SECONDS);
    }

    private List<BindableService> services(boolean tls) {
        return List.of(
                new DiscoveryService(context, calls, tls),
                new AuthService(context, calls),
                new SchemeService(context, calls),
                new OperationService(calls),
                new TableService(context, calls),
                new QueryService(context, calls),
                topics,
                health.getHealthService(),
                ProtoReflectionService.newInstance());
    }

    /** Starts to listen; port 0 picks a free one. */
    public static YdbServer start(ServerContext context, InetSocketAddress listen, @Nullable ServerTls tls) {
        YdbServer server = new YdbServer(context, listen, tls);
        try {
            server.server.start();
        } catch (IOException failure) {
            server.expiry.cancel(false);
            throw new UncheckedIOException("cannot listen on " + listen, failure);
        }
        return server;
    }

    /** Faults of topics that are ordered by command. */
    public TopicFaults topicFaults() {
        return topics.faults();
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** As a restart of the node: all streams end, all sessions and their transactions are gone. */
    public void restartNode() {
        context.streams().cutAll();
        context.sessions().closeAll();
    }

    /** Ends running calls after a short grace. */
    @Override
    public void close() {
        expiry.cancel(false);
        health.enterTerminalState();
        server.shutdown();
        restartNode();
        BooleanSupplier ended = () -> {
            try {
                return server.awaitTermination(STOP_GRACE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        };
        if (!ended.getAsBoolean()) {
            server.shutdownNow();
        }
        topics.close();
    }
}
