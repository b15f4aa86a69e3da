package io.aardappel.operator.login;

import io.grpc.MethodDescriptor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcReadStream;
import tech.ydb.core.grpc.GrpcReadWriteStream;
import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.core.grpc.GrpcTransport;

/** A transport that ends the renewal of its ticket when it is closed. Thread-safe. */
final class TicketedTransport implements GrpcTransport {
    private final GrpcTransport transport;
    private final Runnable end;

    /** @param end to be done when the transport is closed */
    TicketedTransport(GrpcTransport transport, Runnable end) {
        this.transport = transport;
        this.end = end;
    }

    @Override
    public <Q, A> CompletableFuture<Result<A>> unaryCall(
            MethodDescriptor<Q, A> method, GrpcRequestSettings settings, Q request) {
        return transport.unaryCall(method, settings, request);
    }

    @Override
    public <Q, A> GrpcReadStream<A> readStreamCall(
            MethodDescriptor<Q, A> method, GrpcRequestSettings settings, Q request) {
        return transport.readStreamCall(method, settings, request);
    }

    @Override
    public <Q, A> GrpcReadWriteStream<A, Q> readWriteStreamCall(
            MethodDescriptor<Q, A> method, GrpcRequestSettings settings) {
        return transport.readWriteStreamCall(method, settings);
    }

    @Override
    public String getDatabase() {
        return transport.getDatabase();
    }

    @Override
    public ScheduledExecutorService getScheduler() {
        return transport.getScheduler();
    }

    @Override
    public void close() {
        transport.close();
        end.run();
    }
}
