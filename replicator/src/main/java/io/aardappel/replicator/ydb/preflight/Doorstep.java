package io.aardappel.replicator.ydb.preflight;

import com.google.protobuf.Message;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.Connection;
import io.aardappel.access.ydb.Knock;
import io.aardappel.access.ydb.Obstacle;
import io.aardappel.access.ydb.StatusText;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResult;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResponse;
import tech.ydb.proto.discovery.DiscoveryProtos.WhoAmIResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;

/**
 * Whether one side can be talked to at all: a server is there, takes the token and knows the database. Asked before
 * anything else, so that a database that is away gives one finding in plain words instead of one for each object in it.
 */
public final class Doorstep {
    /**
     * One side of the replication.
     *
     * @param name {@code source} or {@code destination}
     * @param addressKey the configuration's key with its address
     * @param tokenKey the key with its token
     */
    public record Side(String name, String addressKey, String tokenKey, Connection connection) {
        private String object() {
            return "the " + name + " database " + connection.where();
        }
    }

    private final Side side;
    private final Duration callTimeout;

    private Doorstep(Side side, Duration callTimeout) {
        this.side = side;
        this.callTimeout = callTimeout;
    }

    /**
     * The one thing to do first about this side, empty when it can be talked to. Changes nothing; waits.
     *
     * @param callTimeout of each call
     * @param tries how often a call is made that is not answered in time
     */
    public static Optional<Finding> check(Side side, Duration callTimeout, int tries) {
        Optional<Obstacle> obstacle = Knock.at(side.connection());
        if (obstacle.isPresent()) {
            return Optional.of(Finding.unreachable(
                    side.object(),
                    "it cannot be reached: " + obstacle.get().what(),
                    obstacle.get().remedy() + " (" + side.addressKey() + ")"));
        }
        try (GrpcTransport transport = side.connection().toNamedEndpoint().open()) {
            return new Doorstep(side, callTimeout).ask(new Calls(transport).tried(tries));
        }
    }

    private Optional<Finding> ask(Calls calls) {
        Optional<Finding> stranger = judge(answer(
                calls,
                DiscoveryServiceGrpc.getWhoAmIMethod(),
                WhoAmIRequest.getDefaultInstance(),
                WhoAmIResponse::getOperation,
                WhoAmIResult.class));
        return stranger.isPresent()
                ? stranger
                : judge(answer(
                        calls,
                        DiscoveryServiceGrpc.getListEndpointsMethod(),
                        ListEndpointsRequest.newBuilder()
                                .setDatabase(calls.database())
                                .build(),
                        ListEndpointsResponse::getOperation,
                        ListEndpointsResult.class));
    }

    private <Q, R, M extends Message> Status answer(
            Calls calls, MethodDescriptor<Q, R> method, Q request, Function<R, Operation> operation, Class<M> result) {
        return calls.call(method, request, callTimeout, operation, result).getStatus();
    }

    private Optional<Finding> judge(Status status) {
        if (status.isSuccess() || isUnsupported(status)) {
            return Optional.empty(); // what it cannot tell will be seen where it matters
        }
        String words = StatusText.of(status);
        if (Refusals.isAbsent(status)) {
            String database = side.connection().where().database();
            return Optional.of(Finding.error(
                    side.object(),
                    "its server has no database " + database + ": " + words,
                    "Correct the path of the database in " + side.addressKey()));
        }
        if (Refusals.isForbidden(status)) {
            return Optional.of(Finding.error(
                    side.object(), "it refuses the token: " + words, "Give a valid token: " + side.tokenKey()));
        }
        return Optional.of(Finding.unreachable(
                side.object(), "its server answers, but not as it should: " + words, "See that the database is well"));
    }

    private static boolean isUnsupported(Status status) {
        return status.getCode() == StatusCode.CLIENT_CALL_UNIMPLEMENTED || status.getCode() == StatusCode.UNSUPPORTED;
    }
}
