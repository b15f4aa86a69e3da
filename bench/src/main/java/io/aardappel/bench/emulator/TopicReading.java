package io.aardappel.bench.emulator;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.aardappel.bench.bare.BareReading;
import io.aardappel.bench.process.Await;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.PartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A filled topic of eight partitions, read whole by a bare gRPC stub with a fixed credit. */
final class TopicReading {
    static final int PARTITIONS = 8;
    static final int RECORD_BYTES = 236;
    private static final int WRITE_BATCH = 2_000;
    private static final String TOPIC = "filled";

    private final TopicServiceGrpc.TopicServiceStub stub;
    private final int recordsPerPartition;

    TopicReading(ManagedChannel channel, int recordsPerPartition) {
        this.stub = TopicServiceGrpc.newStub(channel);
        this.recordsPerPartition = recordsPerPartition;
    }

    long records() {
        return (long) PARTITIONS * recordsPerPartition;
    }

    /** Creates the topic with so many consumers, {@code c0} and on, and writes it full. */
    void fill(ManagedChannel channel, int consumers) {
        CreateTopicRequest.Builder request = CreateTopicRequest.newBuilder()
                .setPath(TOPIC)
                .setPartitioningSettings(PartitioningSettings.newBuilder().setMinActivePartitions(PARTITIONS));
        for (int i = 0; i < consumers; i++) {
            request.addConsumers(Consumer.newBuilder().setName("c" + i));
        }
        StatusCode created = TopicServiceGrpc.newBlockingStub(channel)
                .createTopic(request.build())
                .getOperation()
                .getStatus();
        if (created != StatusCode.SUCCESS) {
            throw new IllegalStateException("the topic cannot be created: " + created);
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Await.end(new Filling(partition).done);
        }
    }

    /** Reads all records for one consumer, from the opening of the stream to the last record. */
    void read(String consumer) {
        Await.end(BareReading.begin(stub, List.of(TOPIC), consumer, records()));
    }

    private final class Filling
            implements ClientResponseObserver<StreamWriteMessage.FromClient, StreamWriteMessage.FromServer> {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final ByteString data =
                UnsafeByteOperations.unsafeWrap("x".repeat(RECORD_BYTES).getBytes(StandardCharsets.US_ASCII));
        private ClientCallStreamObserver<StreamWriteMessage.FromClient> call;
        private long written;

        @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart before anything else
        Filling(int partition) {
            stub.streamWrite(this)
                    .onNext(StreamWriteMessage.FromClient.newBuilder()
                            .setInitRequest(StreamWriteMessage.InitRequest.newBuilder()
                                    .setPath(TOPIC)
                                    .setProducerId("producer-" + partition)
                                    .setPartitionId(partition))
                            .build());
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<StreamWriteMessage.FromClient> stream) {
            call = stream;
        }

        @Override
        public void onNext(StreamWriteMessage.FromServer message) {
            if (message.getStatus() != StatusCode.SUCCESS) {
                done.completeExceptionally(new IllegalStateException(message.toString()));
                return;
            }
            written += message.getWriteResponse().getAcksCount();
            if (written < recordsPerPartition) {
                call.onNext(next());
            } else {
                call.onCompleted();
            }
        }

        private StreamWriteMessage.FromClient next() {
            WriteRequest.Builder request = WriteRequest.newBuilder().setCodec(1);
            long to = Math.min(recordsPerPartition, written + WRITE_BATCH);
            for (long seqNo = written + 1; seqNo <= to; seqNo++) {
                request.addMessagesBuilder().setSeqNo(seqNo).setData(data).setUncompressedSize(RECORD_BYTES);
            }
            return StreamWriteMessage.FromClient.newBuilder()
                    .setWriteRequest(request)
                    .build();
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
}
