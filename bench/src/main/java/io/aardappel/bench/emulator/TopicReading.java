package io.aardappel.bench.emulator;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.PartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** A filled topic of eight partitions, read whole by a bare gRPC stub with a fixed credit. */
final class TopicReading {
    static final int PARTITIONS = 8;
    static final int RECORD_BYTES = 236;
    private static final long CREDIT_BYTES = 8 << 20;
    private static final int WRITE_BATCH = 2_000;
    private static final long WAIT_SECONDS = 120;
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
            await(new Filling(partition).done);
        }
    }

    /** Reads all records for one consumer, from the opening of the stream to the last record. */
    void read(String consumer) {
        await(new Reading(consumer).done);
    }

    private static void await(CompletableFuture<Void> done) {
        try {
            done.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a stream failed", e);
        }
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

    private final class Reading
            implements ClientResponseObserver<StreamReadMessage.FromClient, StreamReadMessage.FromServer> {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private ClientCallStreamObserver<StreamReadMessage.FromClient> call;
        private long left = records();

        @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart before anything else
        Reading(String consumer) {
            InitRequest.Builder init = InitRequest.newBuilder().setConsumer(consumer);
            init.addTopicsReadSettingsBuilder().setPath(TOPIC);
            var requests = stub.streamRead(this);
            requests.onNext(StreamReadMessage.FromClient.newBuilder()
                    .setInitRequest(init)
                    .build());
            requests.onNext(credit(CREDIT_BYTES));
        }

        private StreamReadMessage.FromClient credit(long bytes) {
            return StreamReadMessage.FromClient.newBuilder()
                    .setReadRequest(ReadRequest.newBuilder().setBytesSize(bytes))
                    .build();
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<StreamReadMessage.FromClient> stream) {
            call = stream;
        }

        @Override
        public void onNext(StreamReadMessage.FromServer message) {
            if (message.getStatus() != StatusCode.SUCCESS) {
                done.completeExceptionally(new IllegalStateException(message.toString()));
            } else if (message.hasStartPartitionSessionRequest()) {
                call.onNext(StreamReadMessage.FromClient.newBuilder()
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
}
