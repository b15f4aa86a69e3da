package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.aardappel.emulator.grpc.Session;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.AlterPartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.AlterTopicRequest;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerResult;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionRequest;
import tech.ydb.proto.topic.YdbTopic.DescribePartitionResult;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicResult;
import tech.ydb.proto.topic.YdbTopic.DropTopicRequest;
import tech.ydb.proto.topic.YdbTopic.PartitioningSettings;
import tech.ydb.proto.topic.YdbTopic.TransactionIdentity;
import tech.ydb.proto.topic.YdbTopic.UpdateOffsetsInTransactionRequest;
import tech.ydb.proto.topic.v1.TopicServiceGrpc.TopicServiceBlockingStub;

@DisplayName("The topic calls")
class TopicCallsTest {
    private static final String CONSUMER = "c";

    private final TopicServer server = new TopicServer();
    private final TopicServiceBlockingStub calls = server.calls();

    @AfterEach
    void stop() {
        server.close();
    }

    private static <M extends Message> M result(Operation operation, Class<M> type) {
        assertThat(operation.getStatus()).as("%s", operation).isEqualTo(StatusCode.SUCCESS);
        try {
            return operation.getResult().unpack(type);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private DescribeTopicResult describe(String path) {
        return result(
                calls.describeTopic(DescribeTopicRequest.newBuilder()
                                .setPath(path)
                                .setIncludeStats(true)
                                .setIncludeLocation(true)
                                .build())
                        .getOperation(),
                DescribeTopicResult.class);
    }

    private StatusCode create(CreateTopicRequest.Builder request) {
        return calls.createTopic(request.build()).getOperation().getStatus();
    }

    private StatusCode alter(AlterTopicRequest.Builder request) {
        return calls.alterTopic(request.build()).getOperation().getStatus();
    }

    @Nested
    @DisplayName("that create and drop")
    class ThatCreateAndDrop {
        @Test
        void makeATopicWithWhatWasAsked() {
            create(CreateTopicRequest.newBuilder()
                    .setPath("new")
                    .setPartitioningSettings(PartitioningSettings.newBuilder().setMinActivePartitions(3))
                    .setRetentionPeriod(Duration.newBuilder().setSeconds(7_200))
                    .putAttributes("a", "1")
                    .addConsumers(Consumer.newBuilder().setName(CONSUMER).setImportant(true)));
            DescribeTopicResult topic = describe("/local/new");
            assertThat(topic.getPartitionsCount()).isEqualTo(3);
            assertThat(topic.getRetentionPeriod().getSeconds()).isEqualTo(7_200);
            assertThat(topic.getAttributesMap()).containsEntry("a", "1");
            assertThat(topic.getConsumers(0).getImportant()).isTrue();
        }

        @Test
        void refuseAPathThatIsTaken() {
            server.create("t", 1);
            assertThat(create(CreateTopicRequest.newBuilder().setPath("t"))).isEqualTo(StatusCode.SCHEME_ERROR);
        }

        @Test
        void refuseAnEmptyPath() {
            assertThat(create(CreateTopicRequest.newBuilder())).isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void refuseToDropWhatIsNotThere() {
            assertThat(calls.dropTopic(DropTopicRequest.newBuilder()
                                    .setPath("absent")
                                    .build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
        }
    }

    @Nested
    @DisplayName("that alter")
    class ThatAlter {
        @BeforeEach
        void createTopic() {
            server.create("t", 1, CONSUMER);
        }

        @Test
        void addAConsumer() {
            alter(AlterTopicRequest.newBuilder()
                    .setPath("t")
                    .addAddConsumers(Consumer.newBuilder().setName("d")));
            assertThat(describe("t").getConsumersList())
                    .extracting(Consumer::getName)
                    .containsExactly(CONSUMER, "d");
        }

        @Test
        void refuseAConsumerThatIsThere() {
            assertThat(alter(AlterTopicRequest.newBuilder()
                            .setPath("t")
                            .addAddConsumers(Consumer.newBuilder().setName(CONSUMER))))
                    .isEqualTo(StatusCode.ALREADY_EXISTS);
        }

        @Test
        void refuseToDropAConsumerThatIsNot() {
            assertThat(alter(AlterTopicRequest.newBuilder().setPath("t").addDropConsumers("nobody")))
                    .isEqualTo(StatusCode.NOT_FOUND);
        }

        @Test
        void addPartitions() {
            alter(AlterTopicRequest.newBuilder()
                    .setPath("t")
                    .setAlterPartitioningSettings(
                            AlterPartitioningSettings.newBuilder().setSetMinActivePartitions(4)));
            assertThat(describe("t").getPartitionsCount()).isEqualTo(4);
        }
    }

    @Nested
    @DisplayName("that describe")
    class ThatDescribe {
        private Topic topic;

        @BeforeEach
        void createTopic() {
            topic = server.create("t", 2, CONSUMER);
            TopicServer.fill(topic, 1, 0, 5);
        }

        @Test
        void showOffsetsAndBytes() {
            var stats = describe("t").getPartitions(1).getPartitionStats();
            assertThat(stats.getPartitionOffsets().getEnd()).isEqualTo(5);
            assertThat(stats.getStoreSizeBytes()).isEqualTo(10);
            assertThat(stats.getLastWriteTime().getSeconds()).isPositive();
        }

        @Test
        void showWherePartitionsLive() {
            topic.move(1);
            assertThat(describe("t").getPartitions(1).getPartitionLocation().getGeneration())
                    .isEqualTo(2);
        }

        @Test
        void showTheGraphOfPartitions() {
            topic.split(1, null);
            DescribeTopicResult shown = describe("t");
            assertThat(shown.getPartitions(1).getActive()).isFalse();
            assertThat(shown.getPartitions(1).getChildPartitionIdsList()).containsExactly(2L, 3L);
            assertThat(shown.getPartitions(2).getParentPartitionIdsList()).containsExactly(1L);
            assertThat(shown.getPartitions(2).getKeyRange().getToBound())
                    .isEqualTo(shown.getPartitions(3).getKeyRange().getFromBound());
        }

        @Test
        void showWhenItWasCreatedAnew() {
            long before = describe("t").getSelf().getCreatedAt().getPlanStep();
            topic.recreate(new VirtualTimestamp(before + 1, 1));
            assertThat(describe("t").getSelf().getCreatedAt().getPlanStep()).isEqualTo(before + 1);
        }

        @Test
        void showAConsumersOffsetsAndReader() {
            ReadClient reader = server.reader().open(CONSUMER, "t").credit(100_000);
            reader.startedId();
            reader.confirm(reader.startedId());
            reader.texts(5);
            reader.commit(2, 0, 3).committed();
            var stats = consumer().getPartitions(1).getPartitionConsumerStats();
            assertThat(stats.getCommittedOffset()).isEqualTo(3);
            assertThat(stats.getLastReadOffset()).isEqualTo(5);
            assertThat(stats.getReadSessionId()).startsWith("c_");
        }

        private DescribeConsumerResult consumer() {
            return result(
                    calls.describeConsumer(DescribeConsumerRequest.newBuilder()
                                    .setPath("t")
                                    .setConsumer(CONSUMER)
                                    .setIncludeStats(true)
                                    .build())
                            .getOperation(),
                    DescribeConsumerResult.class);
        }

        private Duration behind(int partition) {
            return consumer()
                    .getPartitions(partition)
                    .getPartitionConsumerStats()
                    .getMaxCommittedTimeLag();
        }

        @Test
        void showHowLongAgoTheFirstUncommittedMessageWasWritten() {
            topic.setCommitted(CONSUMER, 1, 4);
            server.database.jumpClock(600_000);
            assertThat(behind(1).getSeconds()).isBetween(600L, 660L);
        }

        @Test
        void showThatNothingIsUncommitted() {
            topic.setCommitted(CONSUMER, 1, 5);
            server.database.jumpClock(600_000);
            assertThat(behind(0)).isEqualTo(Duration.getDefaultInstance());
            assertThat(behind(1)).isEqualTo(Duration.getDefaultInstance());
        }

        @Test
        void showOnePartition() {
            var response = ClientCalls.blockingUnaryCall(
                    server.channel(),
                    TopicService.DESCRIBE_PARTITION,
                    CallOptions.DEFAULT,
                    DescribePartitionRequest.newBuilder()
                            .setPath("t")
                            .setPartitionId(1)
                            .setIncludeStats(true)
                            .build());
            assertThat(result(response.getOperation(), DescribePartitionResult.class)
                            .getPartition()
                            .getPartitionStats()
                            .getPartitionOffsets()
                            .getEnd())
                    .isEqualTo(5);
        }

        @Test
        void refuseAnUnknownConsumer() {
            assertThat(calls.describeConsumer(DescribeConsumerRequest.newBuilder()
                                    .setPath("t")
                                    .setConsumer("nobody")
                                    .build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
        }
    }

    @Nested
    @DisplayName("that commit")
    class ThatCommit {
        private Topic topic;

        @BeforeEach
        void createTopic() {
            topic = server.create("t", 1, CONSUMER);
            TopicServer.fill(topic, 0, 0, 5);
        }

        private StatusCode commit(long offset) {
            return calls.commitOffset(CommitOffsetRequest.newBuilder()
                            .setPath("t")
                            .setConsumer(CONSUMER)
                            .setOffset(offset)
                            .build())
                    .getOperation()
                    .getStatus();
        }

        @Test
        void moveTheOffsetWithoutAReader() {
            assertThat(commit(4)).isEqualTo(StatusCode.SUCCESS);
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(4);
        }

        @Test
        void moveItBack() {
            commit(4);
            commit(1);
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(1);
        }

        @Test
        void refuseAnOffsetBeyondTheEnd() {
            assertThat(commit(6)).isEqualTo(StatusCode.BAD_REQUEST);
        }

        @Test
        void moveItWithATransaction() {
            Session session = server.sessions.create(server.database);
            Transaction transaction =
                    session.begin(Transaction.Mode.SERIALIZABLE_READ_WRITE).transaction();
            var request = UpdateOffsetsInTransactionRequest.newBuilder()
                    .setTx(TransactionIdentity.newBuilder()
                            .setSession(session.id())
                            .setId(transaction.id()))
                    .setConsumer(CONSUMER);
            request.addTopicsBuilder()
                    .setPath("t")
                    .addPartitionsBuilder()
                    .addPartitionOffsetsBuilder()
                    .setEnd(3);
            assertThat(calls.updateOffsetsInTransaction(request.build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.SUCCESS);
            assertThat(topic.committed(CONSUMER, 0)).isZero();
            transaction.commit();
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(3);
        }
    }
}
