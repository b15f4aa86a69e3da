package io.aardappel.emulator.grpc;

import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/** What the answer of one call tells its client beside the answer itself. Like YDB it says it in the trailers. Thread-safe. */
final class ServerHints {
    static final Metadata.Key<String> HEADER = Metadata.Key.of("x-ydb-server-hints", Metadata.ASCII_STRING_MARSHALLER);

    /** The session of the request should be given up soon. */
    static final String SESSION_CLOSE = "session-close";

    private static final Context.Key<ServerHints> KEY = Context.key("ydb-hints");

    private volatile boolean sessionClose;

    /** Asks the client of the current call to give up its session; nothing outside a call. */
    static void closeSession() {
        ServerHints hints = KEY.get();
        if (hints != null) {
            hints.sessionClose = true;
        }
    }

    Context in(Context context) {
        return context.withValue(KEY, this);
    }

    /** The call with these hints in its trailers. */
    <Q, A> ServerCall<Q, A> on(ServerCall<Q, A> call) {
        return new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                if (sessionClose) {
                    trailers.put(HEADER, SESSION_CLOSE);
                }
                super.close(status, trailers);
            }
        };
    }
}
