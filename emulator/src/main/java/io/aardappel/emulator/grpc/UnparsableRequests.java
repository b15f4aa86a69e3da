package io.aardappel.emulator.grpc;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends calls whose request is no message of their method with gRPC INTERNAL, the code that gRPC gives to a request that a
 * server cannot parse. Left alone, the Java server takes the parser's exception for a defect of the application: the client
 * sees UNKNOWN and the log a stack trace. Thread-safe.
 */
final class UnparsableRequests implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(UnparsableRequests.class);

    private UnparsableRequests() {}

    /** The service with its requests handed through as bytes, so that they are parsed below this interceptor. */
    static ServerServiceDefinition guard(BindableService service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useInputStreamMessages(service.bindService()), new UnparsableRequests());
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Guarded<Q, A> guarded = new Guarded<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(guarded, headers)) {
            @Override
            public void onMessage(Q request) {
                if (guarded.refused()) {
                    return;
                }
                try {
                    super.onMessage(request);
                } catch (StatusRuntimeException unparsable) {
                    LOG.info(
                            "a request of {} is no message of it: the call ends with INTERNAL",
                            call.getMethodDescriptor().getFullMethodName());
                    guarded.refuse();
                    super.onCancel(); // the handler learns of it as of a client that went away
                }
            }

            @Override
            public void onHalfClose() {
                if (!guarded.refused()) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onCancel() {
                if (!guarded.refused()) {
                    super.onCancel();
                }
            }

            @Override
            public void onComplete() {
                if (!guarded.refused()) {
                    super.onComplete();
                }
            }

            @Override
            public void onReady() {
                if (!guarded.refused()) {
                    super.onReady();
                }
            }
        };
    }

    /** A call that takes no more answers once it was refused: its handler may be answering in another thread just then. */
    private static final class Guarded<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private boolean refused;

        Guarded(ServerCall<Q, A> call) {
            super(call);
        }

        synchronized boolean refused() {
            return refused;
        }

        synchronized void refuse() {
            refused = true;
            super.close(Status.INTERNAL.withDescription("Invalid protobuf byte sequence"), new Metadata());
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!refused) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(A message) {
            if (!refused) {
                super.sendMessage(message);
            }
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (!refused) {
                super.close(status, trailers);
            }
        }
    }
}
