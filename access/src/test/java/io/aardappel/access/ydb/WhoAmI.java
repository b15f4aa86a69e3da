package io.aardappel.access.ydb;

import java.time.Duration;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;

/** A question that every server answers. */
final class WhoAmI {
    private WhoAmI() {}

    static StatusCode ask(GrpcTransport transport, Duration timeout) {
        return status(transport, timeout).getCode();
    }

    static Status status(GrpcTransport transport, Duration timeout) {
        return new Calls(transport)
                .call(
                        DiscoveryServiceGrpc.getWhoAmIMethod(),
                        WhoAmIRequest.getDefaultInstance(),
                        timeout,
                        WhoAmIResponse::getOperation,
                        WhoAmIResult.class)
                .getStatus();
    }
}
