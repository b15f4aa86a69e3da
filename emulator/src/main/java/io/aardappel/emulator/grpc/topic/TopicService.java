package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.Message;
import io.aardappel.emulator.faults.Faults;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.topic.YdbTopic.AlterTopicRequest;
import tech.ydb.proto.topic.YdbTopic.AlterTopicResponse;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetResponse;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.CreateTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DropTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DropTopicResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** {@code Ydb.Topic.V1.TopicService}. Close it to end its thread; open streams end with their server. */
public final class TopicService extends TopicServiceGrpc.TopicServiceImplBase implements AutoCloseable {
    /** How long a reader may take to give a partition back before it is taken from it. */
    public static final Duration RELEASE_WAIT = Duration.ofSeconds(30);

    private final Supplier<TopicDatabase> databaseOfCall;
    private final ReadLoop reads;
    private final TopicCalls calls;

    /** @param databaseOfCall asked on the thread and in the gRPC context of each call */
    public TopicService(Supplier<TopicDatabase> databaseOfCall, Faults faults) {
        this(databaseOfCall, faults, RELEASE_WAIT);
    }

    TopicService(Supplier<TopicDatabase> databaseOfCall, Faults faults, Duration releaseWait) {
        this.databaseOfCall = databaseOfCall;
        this.reads = new ReadLoop(faults, releaseWait);
        this.calls = new TopicCalls(reads);
    }

    @Override
    public void createTopic(CreateTopicRequest request, StreamObserver<CreateTopicResponse> out) {
        answer(
                database -> calls.create(database, request),
                out,
                operation ->
                        CreateTopicResponse.newBuilder().setOperation(operation).build());
    }

    @Override
    public void alterTopic(AlterTopicRequest request, StreamObserver<AlterTopicResponse> out) {
        answer(
                database -> calls.alter(database, request),
                out,
                operation ->
                        AlterTopicResponse.newBuilder().setOperation(operation).build());
    }

    @Override
    public void dropTopic(DropTopicRequest request, StreamObserver<DropTopicResponse> out) {
        answer(
                database -> calls.drop(database, request),
                out,
                operation ->
                        DropTopicResponse.newBuilder().setOperation(operation).build());
    }

    @Override
    public void describeTopic(DescribeTopicRequest request, StreamObserver<DescribeTopicResponse> out) {
        answer(
                database -> calls.describe(database, request),
                out,
                operation -> DescribeTopicResponse.newBuilder()
                        .setOperation(operation)
                        .build());
    }

    @Override
    public void describeConsumer(DescribeConsumerRequest request, StreamObserver<DescribeConsumerResponse> out) {
        answer(
                database -> calls.describe(database, request),
                out,
                operation -> DescribeConsumerResponse.newBuilder()
                        .setOperation(operation)
                        .build());
    }

    @Override
    public void commitOffset(CommitOffsetRequest request, StreamObserver<CommitOffsetResponse> out) {
        answer(
                database -> calls.commit(database, request),
                out,
                operation -> CommitOffsetResponse.newBuilder()
                        .setOperation(operation)
                        .build());
    }

    private <R> void answer(
            Function<TopicDatabase, ? extends Message> action, StreamObserver<R> out, Function<Operation, R> wrap) {
        out.onNext(wrap.apply(Answers.operation(() -> action.apply(databaseOfCall.get()))));
        out.onCompleted();
    }

    @Override
    public StreamObserver<StreamReadMessage.FromClient> streamRead(StreamObserver<StreamReadMessage.FromServer> out) {
        var call = (ServerCallStreamObserver<StreamReadMessage.FromServer>) out;
        ReadStream stream = new ReadStream(reads, databaseOfCall.get(), call);
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> reads.execute(stream::pump));
        call.setOnCancelHandler(() -> reads.execute(stream::close));
        reads.execute(() -> reads.opened(stream));
        call.request(1);
        return new StreamObserver<>() {
            @Override
            public void onNext(StreamReadMessage.FromClient message) {
                reads.execute(() -> {
                    stream.accept(message);
                    call.request(1);
                });
            }

            @Override
            public void onError(Throwable broken) {
                reads.execute(stream::close);
            }

            @Override
            public void onCompleted() {
                reads.execute(stream::finish);
            }
        };
    }

    @Override
    public void close() {
        reads.close();
    }
}
