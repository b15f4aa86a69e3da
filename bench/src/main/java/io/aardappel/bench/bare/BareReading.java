package io.aardappel.bench.bare;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** Reads some topics from the committed offsets on by one stream and looks at nothing but how much it is. */
public final class BareReading implements ClientResponseObserver<FromClient, FromServer> {
    private static final long CREDIT_BYTES = 8 << 20;

    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private ClientCallStreamObserver<FromClient> call;
    private long left;

    @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart before anything else
    private BareReading(long messages) {
        left = messages;
    }

    /**
     * Opens the stream.
     *
     * @param topics absolute paths or such in the database
     * @return ends with the message that completes the number, or with what the server refused
     */
    public static CompletableFuture<Void> begin(
            TopicServiceGrpc.TopicServiceStub stub, List<String> topics, String consumer, long messages) {
        BareReading reading = new BareReading(messages);
        InitRequest.Builder init = InitRequest.newBuilder().setConsumer(consumer);
        topics.forEach(topic -> init.addTopicsReadSettingsBuilder().setPath(topic));
        var requests = stub.streamRead(reading);
        requests.onNext(FromClient.newBuilder().setInitRequest(init).build());
        requests.onNext(credit(CREDIT_BYTES));
        return reading.done;
    }

    private static FromClient credit(long bytes) {
        return FromClient.newBuilder()
                .setReadRequest(ReadRequest.newBuilder().setBytesSize(bytes))
                .build();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FromClient> stream) {
        call = stream;
    }

    @Override
    public void onNext(FromServer message) {
        if (message.getStatus() != StatusCode.SUCCESS) {
            done.completeExceptionally(new IllegalStateException(message.toString()));
        } else if (message.hasStartPartitionSessionRequest()) {
            call.onNext(FromClient.newBuilder()
                    .setStartPartitionSessionResponse(StartPartitionSessionResponse.newBuilder()
                            .setPartitionSessionId(message.getStartPartitionSessionRequest()
                                    .getPartitionSession()
                                    .getPartitionSessionId()))
                    .build());
        } else if (message.hasReadResponse()) {
            count(message.getReadResponse());
        }
    }

    private void count(ReadResponse response) {
        for (ReadResponse.PartitionData partition : response.getPartitionDataList()) {
            for (ReadResponse.Batch batch : partition.getBatchesList()) {
                left -= batch.getMessageDataCount();
            }
        }
        if (left > 0) {
            call.onNext(credit(response.getBytesSize()));
        } else {
            call.onCompleted();
            done.complete(null);
        }
    }

    @Override
    public void onError(Throwable error) {
        done.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
        done.complete(null);
    }
}
