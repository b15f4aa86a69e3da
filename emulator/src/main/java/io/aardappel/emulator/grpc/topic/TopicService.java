package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.Message;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.Calls;
import io.aardappel.emulator.grpc.ServerContext;
import io.aardappel.emulator.grpc.Tenant;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import tech.ydb.proto.OperationProtos;
import tech.ydb.proto.topic.YdbTopic.AlterTopicRequest;
import tech.ydb.proto.topic.YdbTopic.AlterTopicResponse;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetResponse;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.CreateTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResponse;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionRequest;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionResponse;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResponse;
import tech.ydb.proto.topic.YdbTopic.DropTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DropTopicResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionRequest;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionResponse;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

/** {@code Ydb.Topic.V1.TopicService}. Close it to end its thread; open streams end with their server. */
public final class TopicService implements TopicServiceGrpc.AsyncService, BindableService, AutoCloseable {
    /** How long a reader may take to give a partition back before it is taken from it. */
    public static final Duration RELEASE_WAIT = Duration.ofSeconds(30);

    /** The stubs know the messages of this call but not the call. */
    static final MethodDescriptor<DescribePartitionRequest, DescribePartitionResponse> DESCRIBE_PARTITION =
            MethodDescriptor.<DescribePartitionRequest, DescribePartitionResponse>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(
                            MethodDescriptor.generateFullMethodName(TopicServiceGrpc.SERVICE_NAME, "DescribePartition"))
                    .setRequestMarshaller(ProtoUtils.marshaller(DescribePartitionRequest.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(DescribePartitionResponse.getDefaultInstance()))
                    .build();

    private final ServerContext context;
    private final Calls calls;
    private final ReadLoop reads;
    private final TopicCalls topicCalls;
    private final TopicTransactions transactions;

    public TopicService(ServerContext context, Calls calls) {
        this(context, calls, RELEASE_WAIT);
    }

    TopicService(ServerContext context, Calls calls, Duration releaseWait) {
        this.context = context;
        this.calls = calls;
        this.reads = ReadLoop.start(context.faults(), releaseWait);
        this.topicCalls = new TopicCalls(reads);
        this.transactions = new TopicTransactions(context.sessions());
    }

    /** Faults that are ordered for topics and their readers. */
    public TopicFaults faults() {
        return new TopicFaults(reads);
    }

    @Override
    public ServerServiceDefinition bindService() {
        ServerServiceDefinition known = TopicServiceGrpc.bindService(this);
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(TopicServiceGrpc.SERVICE_NAME)
                .setSchemaDescriptor(known.getServiceDescriptor().getSchemaDescriptor());
        known.getMethods().forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        descriptor.addMethod(DESCRIBE_PARTITION);
        ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(descriptor.build());
        known.getMethods().forEach(all::addMethod);
        all.addMethod(DESCRIBE_PARTITION, ServerCalls.asyncUnaryCall(this::describePartition));
        return all.build();
    }

    @Override
    public void createTopic(CreateTopicRequest request, StreamObserver<CreateTopicResponse> out) {
        answer(
                Operation.SCHEME,
                request.getPath(),
                out,
                operation ->
                        CreateTopicResponse.newBuilder().setOperation(operation).build(),
                tenant -> topicCalls.create(tenant, request));
    }

    @Override
    public void alterTopic(AlterTopicRequest request, StreamObserver<AlterTopicResponse> out) {
        answer(
                Operation.SCHEME,
                request.getPath(),
                out,
                operation ->
                        AlterTopicResponse.newBuilder().setOperation(operation).build(),
                tenant -> topicCalls.alter(tenant, request));
    }

    @Override
    public void dropTopic(DropTopicRequest request, StreamObserver<DropTopicResponse> out) {
        answer(
                Operation.SCHEME,
                request.getPath(),
                out,
                operation ->
                        DropTopicResponse.newBuilder().setOperation(operation).build(),
                tenant -> topicCalls.drop(tenant, request));
    }

    @Override
    public void describeTopic(DescribeTopicRequest request, StreamObserver<DescribeTopicResponse> out) {
        answer(
                Operation.DESCRIBE,
                request.getPath(),
                out,
                operation -> DescribeTopicResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                tenant -> topicCalls.describe(tenant, request));
    }

    @Override
    public void describeConsumer(DescribeConsumerRequest request, StreamObserver<DescribeConsumerResponse> out) {
        answer(
                Operation.DESCRIBE,
                request.getPath(),
                out,
                operation -> DescribeConsumerResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                tenant -> topicCalls.describe(tenant, request));
    }

    private void describePartition(DescribePartitionRequest request, StreamObserver<DescribePartitionResponse> out) {
        answer(
                Operation.DESCRIBE,
                request.getPath(),
                out,
                operation -> DescribePartitionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                tenant -> topicCalls.describe(tenant, request));
    }

    @Override
    public void commitOffset(CommitOffsetRequest request, StreamObserver<CommitOffsetResponse> out) {
        answer(
                Operation.TOPIC_COMMIT,
                request.getPath(),
                out,
                operation -> CommitOffsetResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                tenant -> topicCalls.commit(tenant, request));
    }

    private <R> void answer(
            Operation kind,
            String path,
            StreamObserver<R> out,
            Function<OperationProtos.Operation, R> wrap,
            Function<Tenant, ? extends Message> body) {
        calls.operation(out, () -> site(kind, path), wrap, () -> body.apply(tenant(path)));
    }

    private Site site(Operation kind, String path) {
        Tenant tenant = tenant(path);
        return Site.at(tenant.path(), kind, path.isEmpty() ? "" : tenant.absolute(path));
    }

    private Tenant tenant(String path) {
        return context.databases().ofCall(path);
    }

    @Override
    public void updateOffsetsInTransaction(
            UpdateOffsetsInTransactionRequest request, StreamObserver<UpdateOffsetsInTransactionResponse> out) {
        String path = request.getTopicsCount() == 0 ? "" : request.getTopics(0).getPath();
        answer(
                Operation.TOPIC_COMMIT,
                path,
                out,
                operation -> UpdateOffsetsInTransactionResponse.newBuilder()
                        .setOperation(operation)
                        .build(),
                tenant -> topicCalls.updateOffsets(tenant, request, transactions));
    }

    @Override
    public StreamObserver<StreamWriteMessage.FromClient> streamWrite(
            StreamObserver<StreamWriteMessage.FromServer> out) {
        return new WriteStream(
                context, calls, transactions, (ServerCallStreamObserver<StreamWriteMessage.FromServer>) out);
    }

    @Override
    public StreamObserver<StreamReadMessage.FromClient> streamRead(StreamObserver<StreamReadMessage.FromServer> out) {
        var call = (ServerCallStreamObserver<StreamReadMessage.FromServer>) out;
        ReadStream stream = new ReadStream(reads, context, call);
        call.disableAutoRequest();
        AtomicBoolean waitsForRoom = new AtomicBoolean();
        call.setOnReadyHandler(() -> reads.execute(() -> {
            stream.pump();
            if (waitsForRoom.getAndSet(false)) {
                askForMore(stream, call, waitsForRoom);
            }
        }));
        call.setOnCancelHandler(() -> reads.execute(stream::close));
        reads.execute(() -> reads.opened(stream));
        call.request(1);
        Context headers = Context.current();
        return new StreamObserver<>() {
            @Override
            public void onNext(StreamReadMessage.FromClient message) {
                reads.execute(headers.wrap(() -> {
                    stream.accept(message);
                    askForMore(stream, call, waitsForRoom);
                }));
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

    /** On the read loop's thread. */
    private static void askForMore(ReadStream stream, ServerCallStreamObserver<?> call, AtomicBoolean waitsForRoom) {
        if (stream.readyForMore()) {
            call.request(1);
        } else {
            waitsForRoom.set(true);
        }
    }

    @Override
    public void close() {
        reads.close();
    }
}
