package io.aardappel.access.ydb;

import io.aardappel.access.auth.Ticket;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * Tells a ticket what servers think of it. Where another ticket will help, a call that was refused ends as if the server had
 * been away for a moment: everything above tries that again, while a refusal would end the replication.
 */
final class TicketWatch implements ClientInterceptor {
    private final Ticket ticket;

    TicketWatch(Ticket ticket) {
        this.ticket = ticket;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        long generation = ticket.generation();
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(new Watched<>(listener, generation), headers);
            }
        };
    }

    private final class Watched<A> extends SimpleForwardingClientCallListener<A> {
        private final long generation;

        Watched(ClientCall.Listener<A> listener, long generation) {
            super(listener);
            this.generation = generation;
        }

        @Override
        public void onHeaders(Metadata headers) {
            ticket.accepted(generation);
            super.onHeaders(headers);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            boolean passing = status.getCode() == Status.Code.UNAUTHENTICATED && ticket.refused(generation);
            super.onClose(
                    passing
                            ? Status.UNAVAILABLE.withDescription(
                                    "the token is no longer taken, another is asked for: " + status.getDescription())
                            : status,
                    trailers);
        }
    }
}
