package io.aardappel.replicator.ydb.topics;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Issue;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcReadWriteStream;
import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** Opens read streams over the SDK's transport, which picks the endpoint and adds the ticket. Thread-safe. */
final class ReadCalls {
    /** Hears of one stream, always on the loop and in this order: connected, any number of messages, closed. */
    interface Listener {
        void connected(Call call);

        void received(FromServer message);

        void closed(Status status);
    }

    private final GrpcTransport transport;
    private final Executor io;
    private final Executor loop;

    /**
     * @param io runs what may block: finding and connecting a channel
     * @param loop runs the listeners, one at a time
     */
    ReadCalls(GrpcTransport transport, Executor io, Executor loop) {
        this.transport = transport;
        this.io = io;
        this.loop = loop;
    }

    /** Begins to open a stream; returns at once. */
    void open(Listener listener) {
        try {
            io.execute(() -> connect(listener));
        } catch (RejectedExecutionException closed) {
            loop.execute(() -> listener.closed(Status.of(StatusCode.CLIENT_CANCELLED)));
        }
    }

    private void connect(Listener listener) {
        try {
            GrpcReadWriteStream<FromServer, FromClient> stream = transport.readWriteStreamCall(
                    TopicServiceGrpc.getStreamReadMethod(),
                    GrpcRequestSettings.newBuilder().disableDeadline().build());
            Call call = new Call(stream);
            loop.execute(() -> listener.connected(call));
            var unused = stream.start(message -> loop.execute(() -> listener.received(message)))
                    .whenComplete((status, fault) ->
                            loop.execute(() -> listener.closed(fault == null ? status : failed(fault))));
            call.started();
        } catch (RuntimeException fault) {
            loop.execute(() -> listener.closed(failed(fault)));
        }
    }

    private static Status failed(Throwable fault) {
        return Status.of(StatusCode.CLIENT_INTERNAL_ERROR)
                .withIssues(Issue.of(String.valueOf(fault), Issue.Severity.ERROR));
    }

    /** An open stream's way to its server. Thread-safe. */
    static final class Call {
        private final GrpcReadWriteStream<FromServer, FromClient> stream;
        private final Queue<FromClient> early = new ArrayDeque<>();
        private boolean started;
        private boolean over;

        Call(GrpcReadWriteStream<FromServer, FromClient> stream) {
            this.stream = stream;
        }

        /** Sends, or keeps until the call has been started; nothing after {@link #cancel}. */
        synchronized void send(FromClient message) {
            if (over) {
                return;
            }
            if (started) {
                stream.sendNext(message);
            } else {
                early.add(message);
            }
        }

        /** The stream was started: what was kept goes out. */
        synchronized void started() {
            started = true;
            if (over) {
                stream.cancel();
                return;
            }
            early.forEach(stream::sendNext);
            early.clear();
        }

        synchronized void cancel() {
            if (over) {
                return;
            }
            over = true;
            if (started) {
                stream.cancel();
            }
        }

        /** The ticket that calls carry now, null when they carry none. */
        @Nullable
        String token() {
            return stream.authToken();
        }
    }
}
