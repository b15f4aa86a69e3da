package io.aardappel.emulator.grpc.topic;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.Calls;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.StatusCodec;
import io.aardappel.emulator.grpc.Streams;
import io.aardappel.emulator.grpc.Visitor;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitResponse;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteResponse;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteResponse.WriteAck;
import tech.ydb.proto.topic.YdbTopic.SupportedCodecs;
import tech.ydb.proto.topic.YdbTopic.UpdateTokenResponse;

/** The protocol of one StreamWrite call: each request is stored and acknowledged before the next is read. Thread-safe. */
final class WriteStream implements StreamObserver<FromClient> {
    private final ServerContext context;
    private final Calls calls;
    private final TopicTransactions transactions;
    private final ServerCallStreamObserver<FromServer> out;
    private final Visitor visitor;
    private @Nullable WriteSession session;
    private Streams.@Nullable Open registration;
    private boolean waitsForRoom;
    private boolean closed;

    WriteStream(
            ServerContext context,
            Calls calls,
            TopicTransactions transactions,
            ServerCallStreamObserver<FromServer> out) {
        this.context = context;
        this.calls = calls;
        this.transactions = transactions;
        this.out = out;
        this.visitor = Visitor.ofCall(context.accounts(), Right.WRITE);
        out.disableAutoRequest();
        out.setOnReadyHandler(this::roomAgain);
        out.setOnCancelHandler(this::close);
        out.request(1);
    }

    @Override
    public synchronized void onNext(FromClient message) {
        if (closed) {
            return;
        }
        try {
            dispatch(message);
        } catch (RuntimeException e) {
            dismiss(e);
        }
        askForMore();
    }

    /** Ends with a refusal, or as the transport ends what it does not let in. */
    private synchronized void dismiss(RuntimeException objection) {
        if (closed) {
            return;
        }
        if (objection instanceof StatusRuntimeException unknown) {
            out.onError(unknown);
            close();
        } else {
            fail(Calls.refusal(objection));
        }
    }

    private void askForMore() {
        // a client that takes no acknowledgements is not read further
        waitsForRoom = !out.isReady();
        if (!closed && !waitsForRoom) {
            out.request(1);
        }
    }

    private synchronized void roomAgain() {
        if (waitsForRoom && !closed) {
            askForMore();
        }
    }

    private void dispatch(FromClient message) {
        switch (message.getClientMessageCase()) {
            case INIT_REQUEST -> init(message.getInitRequest());
            case WRITE_REQUEST -> write(message.getWriteRequest());
            case UPDATE_TOKEN_REQUEST -> {
                opened();
                visitor.shows(message.getUpdateTokenRequest().getToken());
                send(FromServer.newBuilder().setUpdateTokenResponse(UpdateTokenResponse.getDefaultInstance()));
            }
            case CLIENTMESSAGE_NOT_SET -> throw bad("a message of a write session must not be empty");
        }
    }

    private void init(InitRequest request) {
        if (session != null) {
            throw bad("got second init request");
        }
        WriteSession opened = WriteSession.open(request, context.databases().ofCall(request.getPath()));
        String path = opened.topic().path();
        calls.refuseByFault(Site.at(path, Operation.TOPIC_WRITE, path).inPartition(opened.partition()));
        visitor.enters(List.of(path));
        session = opened;
        registration = context.streams().register(path, Operation.TOPIC_WRITE, visitor, this::cut, this::dismiss);
        send(FromServer.newBuilder()
                .setInitResponse(InitResponse.newBuilder()
                        .setLastSeqNo(opened.lastSeqNo())
                        .setSessionId(opened.id())
                        .setPartitionId(opened.partition())
                        .setSupportedCodecs(SupportedCodecs.newBuilder()
                                .addAllCodecs(opened.topic().spec().codecs()))));
    }

    private WriteSession opened() {
        if (session == null) {
            throw bad("the first message of a write session must be init_request");
        }
        return session;
    }

    private void write(WriteRequest request) {
        WriteSession writer = opened();
        String path = writer.topic().path();
        calls.refuseByFault(Site.at(path, Operation.TOPIC_WRITE, path).inPartition(writer.partition()));
        for (WriteSession.Run run : writer.runs(request, System.currentTimeMillis())) {
            send(FromServer.newBuilder().setWriteResponse(request.hasTx() ? enlist(request, run) : store(run)));
        }
    }

    private WriteResponse.Builder enlist(WriteRequest request, WriteSession.Run run) {
        transactions.part(request.getTx()).write(opened().topic(), run.partition(), run.messages());
        WriteResponse.Builder response = response(run);
        for (TopicMessage message : run.messages()) {
            response.addAcksBuilder()
                    .setSeqNo(message.seqNo())
                    .setWrittenInTx(WriteAck.WrittenInTx.getDefaultInstance());
        }
        return response;
    }

    private WriteResponse.Builder store(WriteSession.Run run) {
        long[] offsets = opened().topic().write(run.partition(), run.messages());
        WriteResponse.Builder response = response(run);
        for (int i = 0; i < offsets.length; i++) {
            WriteAck.Builder ack =
                    response.addAcksBuilder().setSeqNo(run.messages().get(i).seqNo());
            if (offsets[i] == Topic.SKIPPED) {
                ack.getSkippedBuilder().setReason(WriteAck.Skipped.Reason.REASON_ALREADY_WRITTEN);
            } else {
                ack.getWrittenBuilder().setOffset(offsets[i]);
            }
        }
        return response;
    }

    private static WriteResponse.Builder response(WriteSession.Run run) {
        return WriteResponse.newBuilder()
                .setPartitionId(run.partition())
                .setWriteStatistics(WriteResponse.WriteStatistics.getDefaultInstance());
    }

    private void send(FromServer.Builder message) {
        out.onNext(message.setStatus(StatusCode.SUCCESS).build());
    }

    private static YdbException bad(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }

    private void fail(YdbException refusal) {
        out.onNext(FromServer.newBuilder()
                .setStatus(StatusCodec.encode(refusal.status()))
                .addAllIssues(StatusCodec.encode(refusal.issues()))
                .build());
        out.onCompleted();
        close();
    }

    private synchronized void cut() {
        if (!closed) {
            out.onError(Streams.cut().asRuntimeException());
            close();
        }
    }

    @Override
    public synchronized void onError(Throwable broken) {
        close();
    }

    @Override
    public synchronized void onCompleted() {
        if (!closed) {
            out.onCompleted();
            close();
        }
    }

    private synchronized void close() {
        closed = true;
        if (registration != null) {
            registration.close();
        }
    }
}
