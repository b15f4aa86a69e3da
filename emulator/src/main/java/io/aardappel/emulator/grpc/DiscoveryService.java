package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.discovery.DiscoveryProtos.EndpointInfo;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResult;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc.DiscoveryServiceImplBase;

/** Tells clients that this one node serves everything, at the address under which they reached it. */
final class DiscoveryService extends DiscoveryServiceImplBase {
    private static final List<String> SERVICES =
            List.of("auth", "discovery", "operation", "query", "scheme", "table_service", "topic");

    private static final String LOCATION = "local";

    private final ServerContext context;
    private final Calls calls;
    private final boolean tls;

    DiscoveryService(ServerContext context, Calls calls, boolean tls) {
        this.context = context;
        this.calls = calls;
        this.tls = tls;
    }

    @Override
    public void listEndpoints(ListEndpointsRequest request, StreamObserver<ListEndpointsResponse> observer) {
        Site site = Site.of(request.getDatabase(), Operation.DISCOVERY);
        calls.operation(
                observer,
                () -> site,
                operation -> ListEndpointsResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                () -> {
                    if (!request.getDatabase().isEmpty()) {
                        context.databases().named(request.getDatabase()); // refuses one that is not here
                    }
                    return endpoints(CallContext.current().authority());
                });
    }

    private ListEndpointsResult endpoints(@Nullable String authority) {
        // No URI, no host: an authority that cannot be read is as good as none.
        URI reached = URI.create("grpc://" + (authority == null ? "" : authority));
        EndpointInfo.Builder endpoint = EndpointInfo.newBuilder()
                .setAddress(reached.getHost() == null ? "localhost" : bare(reached.getHost()))
                .setPort(reached.getPort())
                .setSsl(tls)
                .setLocation(LOCATION)
                .setNodeId(context.nodeId())
                .addAllService(SERVICES);
        return ListEndpointsResult.newBuilder()
                .addEndpoints(endpoint)
                .setSelfLocation(LOCATION)
                .build();
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public void whoAmI(WhoAmIRequest request, StreamObserver<WhoAmIResponse> observer) {
        calls.operation(
                observer,
                () -> Site.of("", Operation.DISCOVERY),
                operation -> WhoAmIResponse.newBuilder().setOperation(operation).build(),
                () -> WhoAmIResult.newBuilder()
                        .setUser(CallContext.current().user())
                        .build());
    }
}
