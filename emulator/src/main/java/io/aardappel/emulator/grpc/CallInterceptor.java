package io.aardappel.emulator.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.Set;

/** Reads the headers of every call and turns away callers whose ticket is not known, as YDB does: with gRPC UNAUTHENTICATED. */
final class CallInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> DATABASE = text("x-ydb-database");
    private static final Metadata.Key<String> TICKET = text("x-ydb-auth-ticket");
    private static final Metadata.Key<String> AUTHORIZATION = text("authorization");

    /** Services that answer before a caller can have a ticket. */
    private static final Set<String> OPEN_TO_ALL = Set.of(
            "Ydb.Auth.V1.AuthService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection");

    private final Accounts accounts;

    CallInterceptor(Accounts accounts) {
        this.accounts = accounts;
    }

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String sent = headers.get(TICKET);
        String ticket = sent == null ? headers.get(AUTHORIZATION) : sent;
        Optional<String> user = accounts.userOf(ticket);
        if (user.isEmpty()
                && !OPEN_TO_ALL.contains(
                        String.valueOf(call.getMethodDescriptor().getServiceName()))) {
            String why = ticket == null
                    ? "Access denied: the call carries no ticket in x-ydb-auth-ticket"
                    : "Access denied: the ticket in x-ydb-auth-ticket is not known";
            call.close(Status.UNAUTHENTICATED.withDescription(why), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        CallContext context =
                new CallContext(headers.get(DATABASE), user.orElse(Accounts.ANONYMOUS), ticket, call.getAuthority());
        ServerHints hints = new ServerHints();
        Context withHints = hints.in(Context.current().withValue(CallContext.KEY, context));
        return Contexts.interceptCall(withHints, hints.on(call), headers, next);
    }
}
