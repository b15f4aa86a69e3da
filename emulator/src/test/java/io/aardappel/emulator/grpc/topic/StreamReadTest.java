package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.PartitionSessionStatusRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;

@DisplayName("A read stream")
class StreamReadTest {
    private static final String CONSUMER = "c";

    private final TopicServer server = new TopicServer();
    private Topic topic;

    @BeforeEach
    void createTopic() {
        topic = server.create("t", 1, CONSUMER);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ReadClient reader() {
        return server.reader().open(CONSUMER, "t");
    }

    @Nested
    @DisplayName("at its beginning")
    class AtItsBeginning {
        @Test
        void answersInitWithASessionIdOfYdbsShape() {
            FromServer first = server.reader().init(settings("t")).next();
            assertThat(first.getInitResponse().getSessionId()).matches("c_\\d+_\\d+_\\d+_v1");
        }

        @Test
        void refusesASecondInit() {
            ReadClient reader = reader();
            reader.started();
            reader.init(settings("t")).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesAnythingBeforeInit() {
            server.reader().credit(100).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesNoTopics() {
            server.reader().init(InitRequest.newBuilder().setConsumer(CONSUMER)).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesAnUnknownTopic() {
            server.reader().init(settings("absent")).refused(StatusCode.SCHEME_ERROR);
        }

        @Test
        void refusesAnUnknownConsumer() {
            FromServer refusal =
                    server.reader().init(settings("t").setConsumer("nobody")).refused(StatusCode.BAD_REQUEST);
            assertThat(refusal.getIssues(0).getMessage()).contains("no read rule provided for consumer 'nobody'");
        }

        @Test
        void needsPartitionsWithoutAConsumer() {
            FromServer refusal =
                    server.reader().init(settings("t").setConsumer("")).refused(StatusCode.BAD_REQUEST);
            assertThat(refusal.getIssues(0).getMessage())
                    .contains("explicitly specify the partitions when reading without a consumer");
        }

        @ParameterizedTest
        @EnumSource(
                value = Fault.class,
                names = {"ABORTED", "UNAVAILABLE", "OVERLOADED"})
        void isRefusedByAnOrderedFault(Fault fault) {
            server.faults.add(FaultRule.of(fault)
                    .during(Operation.TOPIC_READ)
                    .at("/local/t")
                    .times(1));
            server.reader().init(settings("t")).refused(StatusCode.valueOf(fault.name()));
            assertThat(reader().startedId()).isPositive();
        }

        @Test
        void isOneOccasionOfAFaultWhateverTheNumberOfItsTopics() {
            server.create("u", 1, CONSUMER);
            server.faults.add(FaultRule.of(Fault.ABORTED).after(1));
            InitRequest.Builder both = settings("t");
            both.addTopicsReadSettingsBuilder().setPath("u");
            assertThat(server.reader().init(both).next().hasInitResponse()).isTrue();
        }

        @Test
        void isSparedByAFaultOfAnotherTopic() {
            server.faults.add(FaultRule.of(Fault.ABORTED).at("/local/other"));
            assertThat(server.reader().init(settings("t")).next().hasInitResponse())
                    .isTrue();
        }

        private InitRequest.Builder settings(String path) {
            InitRequest.Builder init = InitRequest.newBuilder().setConsumer(CONSUMER);
            init.addTopicsReadSettingsBuilder().setPath(path);
            return init;
        }
    }

    @Nested
    @DisplayName("offered a partition")
    class OfferedAPartition {
        @Test
        void learnsOffsetsAndPath() {
            TopicServer.fill(topic, 0, 0, 5);
            topic.commit(CONSUMER, 0, 2);
            var start = reader().started();
            assertThat(start.getCommittedOffset()).isEqualTo(2);
            assertThat(start.getPartitionOffsets().getEnd()).isEqualTo(5);
            assertThat(start.getPartitionSession().getPath()).isEqualTo("t");
        }

        @Test
        void getsNothingBeforeItConfirms() {
            TopicServer.fill(topic, 0, 0, 5);
            ReadClient reader = reader().credit(1_000_000);
            reader.started();
            reader.silent();
        }

        @Test
        void readsFromTheCommittedOffset() {
            TopicServer.fill(topic, 0, 0, 5);
            topic.commit(CONSUMER, 0, 3);
            ReadClient reader = reader().credit(1_000_000);
            reader.confirm(reader.startedId());
            assertThat(reader.texts(2)).containsExactly("m3", "m4");
        }

        @Test
        void readsFromItsReadOffset() {
            TopicServer.fill(topic, 0, 0, 5);
            ReadClient reader = reader().credit(1_000_000);
            reader.confirm(reader.startedId(), 4);
            assertThat(reader.texts(1)).containsExactly("m4");
        }

        @Test
        void mayNotReadBelowTheCommittedOffset() {
            TopicServer.fill(topic, 0, 0, 5);
            topic.commit(CONSUMER, 0, 3);
            ReadClient reader = reader();
            reader.confirm(reader.startedId(), 1).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void mayNotConfirmTwice() {
            ReadClient reader = reader();
            long id = reader.startedId();
            reader.confirm(id).confirm(id).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void commitsWithItsConfirmationUnanswered() {
            TopicServer.fill(topic, 0, 0, 5);
            ReadClient reader = reader();
            reader.send(FromClient.newBuilder()
                    .setStartPartitionSessionResponse(StartPartitionSessionResponse.newBuilder()
                            .setPartitionSessionId(reader.startedId())
                            .setReadOffset(3)
                            .setCommitOffset(2)));
            reader.silent();
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(2);
        }

        @Test
        void beginsAtTheOldestMessageWhenCommittedOnesAreGone() {
            TopicServer.fill(topic, 0, 0, 5);
            topic.cutOldest(2);
            ReadClient reader = reader().credit(1_000_000);
            var start = reader.started();
            assertThat(start.getPartitionOffsets().getStart()).isEqualTo(2);
            reader.confirm(start.getPartitionSession().getPartitionSessionId());
            assertThat(reader.texts(3)).containsExactly("m2", "m3", "m4");
        }
    }

    @Nested
    @DisplayName("whose messages are taken by retention")
    class WhoseMessagesAreTaken {
        @Test
        void learnsThatWhatItHeldBehindTheGapIsCommitted() {
            TopicServer.fill(topic, 0, 0, 10);
            ReadClient reader = reader();
            long session = reader.startedId();
            reader.confirm(session).commit(session, 4, 6).silent();
            topic.cutOldest(4);
            assertThat(reader.committed()).isEqualTo(6);
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(6);
        }

        @Test
        void commitsOnFromTheOldestThatIsLeft() {
            TopicServer.fill(topic, 0, 0, 10);
            ReadClient reader = reader();
            long session = reader.startedId();
            reader.confirm(session).silent();
            topic.cutOldest(4);
            reader.commit(session, 4, 6);
            assertThat(reader.committed()).isEqualTo(6);
        }
    }

    @Nested
    @DisplayName("with credit")
    class WithCredit {
        @Test
        void refusesAnAmountThatIsNotPositive() {
            ReadClient reader = reader();
            reader.started();
            reader.credit(0).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void getsNoCrumbsWhenItGrantsAsMuchAsWasSent() {
            int records = 20_000;
            TopicServer.fill(topic, 0, 0, records);
            ReadClient reader = reader().credit(100_000);
            reader.confirm(reader.startedId());
            int responses = 0;
            for (int read = 0; read < records; responses++) {
                ReadResponse response = reader.data();
                read += response.getPartitionData(0).getBatchesList().stream()
                        .mapToInt(ReadResponse.Batch::getMessageDataCount)
                        .sum();
                reader.credit(response.getBytesSize());
            }
            // half of the credit is 50,000 bytes, and no message takes more than 100
            assertThat(responses).isLessThan(records / 400);
        }

        @Test
        void getsAllThatItGrantedWhenItGrantsNoMore() {
            TopicServer.fill(topic, 0, 0, 1_000);
            ReadClient reader = reader().credit(5_000);
            reader.confirm(reader.startedId());
            long sent = 0;
            while (sent < 4_950) {
                sent += reader.data().getBytesSize();
            }
            assertThat(sent).isLessThan(5_100);
        }

        @Test
        void getsNoMoreThanItGranted() {
            TopicServer.fill(topic, 0, 0, 1_000);
            ReadClient reader = reader().credit(5_000);
            reader.confirm(reader.startedId());
            assertThat(reader.data().getBytesSize()).isBetween(4_000L, 5_000L);
        }

        @Test
        void mayBeOverdrawnByOneBigMessage() {
            byte[] big = new byte[100_000];
            topic.append(0, List.of(new TopicMessage("p", 1, 1, 1, 1, big.length, Map.of(), big)));
            ReadClient reader = reader().credit(1);
            reader.confirm(reader.startedId());
            assertThat(reader.data().getBytesSize()).isGreaterThan(100_000);
        }

        @Test
        void getsNothingMoreUntilAnOverdraftIsMadeGood() {
            byte[] big = new byte[100_000];
            TopicMessage message = new TopicMessage("p", 1, 1, 1, 1, big.length, Map.of(), big);
            topic.append(0, List.of(message, message));
            ReadClient reader = reader().credit(1);
            reader.confirm(reader.startedId());
            long taken = reader.data().getBytesSize();
            reader.credit(taken - 1).silent();
        }

        @Test
        void readsAllWhenEachResponsesBytesAreGrantedBack() {
            TopicServer.fill(topic, 0, 0, 3_000);
            ReadClient reader = reader().credit(2_000);
            reader.confirm(reader.startedId());
            long next = 0;
            while (next < 3_000) {
                ReadResponse data = reader.data();
                for (var batch : data.getPartitionData(0).getBatchesList()) {
                    for (var message : batch.getMessageDataList()) {
                        assertThat(message.getOffset()).isEqualTo(next++);
                    }
                }
                reader.credit(data.getBytesSize());
            }
        }

        @Test
        void isWokenByNewMessages() {
            ReadClient reader = reader().credit(10_000);
            reader.confirm(reader.startedId()).silent();
            TopicServer.fill(topic, 0, 0, 1);
            assertThat(reader.texts(1)).containsExactly("m0");
        }
    }

    @Nested
    @DisplayName("sends batches")
    class SendsBatches {
        @Test
        void thatEndWhereProducerCodecOrWriteTimeChange() {
            topic.append(0, List.of(raw("a", 1, 1), raw("a", 1, 1), raw("b", 1, 1), raw("b", 2, 1), raw("b", 2, 2)));
            ReadClient reader = reader().credit(10_000);
            reader.confirm(reader.startedId());
            assertThat(reader.data().getPartitionData(0).getBatchesList())
                    .extracting(ReadResponse.Batch::getMessageDataCount)
                    .containsExactly(2, 1, 1, 1);
        }

        private TopicMessage raw(String producer, int codec, long written) {
            return new TopicMessage(producer, 1, 7, written, codec, 1, Map.of("k", new byte[] {9}), new byte[] {1});
        }

        @Test
        void whoseMessagesCarryWhatTheirWriterSaid() {
            topic.append(0, List.of(raw("a", 4, 1_234)));
            ReadClient reader = reader().credit(10_000);
            reader.confirm(reader.startedId());
            var batch = reader.data().getPartitionData(0).getBatches(0);
            assertThat(batch.getProducerId()).isEqualTo("a");
            assertThat(batch.getCodec()).isEqualTo(4);
            assertThat(Times.millis(batch.getWrittenAt())).isEqualTo(1_234);
            assertThat(batch.getMessageData(0).getMessageGroupId()).isEqualTo("a");
            assertThat(batch.getMessageData(0).getMetadataItems(0).getKey()).isEqualTo("k");
        }
    }

    @Nested
    @DisplayName("that commits")
    class ThatCommits {
        private ReadClient reader;
        private long session;

        @BeforeEach
        void read() {
            TopicServer.fill(topic, 0, 0, 10);
            reader = reader().credit(100_000);
            session = reader.startedId();
            reader.confirm(session);
            reader.texts(10);
        }

        @Test
        void isAnsweredWithTheOffsetItReached() {
            assertThat(reader.commit(session, 0, 4).committed()).isEqualTo(4);
        }

        @Test
        void movesTheConsumersOffset() {
            reader.commit(session, 0, 4).committed();
            assertThat(topic.committed(CONSUMER, 0)).isEqualTo(4);
        }

        @Test
        void isNotAnsweredWhileAGapIsLeft() {
            reader.commit(session, 2, 4).silent();
        }

        @Test
        void reachesTheHeldRangeOnceTheGapIsFilled() {
            reader.commit(session, 2, 4).commit(session, 0, 2);
            assertThat(reader.committed()).isEqualTo(4);
        }

        @Test
        void mayNotCommitTwice() {
            reader.commit(session, 0, 4).committed();
            reader.commit(session, 3, 5).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void mayNotOverlapARangeThatIsHeld() {
            reader.commit(session, 2, 4).commit(session, 3, 5).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void mayNotCommitAnEmptyRange() {
            reader.commit(session, 0, 0).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void isIgnoredForASessionThatIsOver() {
            reader.commit(session + 17, 0, 4).silent();
        }
    }

    @Nested
    @DisplayName("asked for a partition's status")
    class AskedForStatus {
        @Test
        void answersOffsets() {
            TopicServer.fill(topic, 0, 0, 10);
            topic.commit(CONSUMER, 0, 4);
            ReadClient reader = reader();
            long session = reader.startedId();
            reader.send(FromClient.newBuilder()
                    .setPartitionSessionStatusRequest(
                            PartitionSessionStatusRequest.newBuilder().setPartitionSessionId(session)));
            var status = reader.next().getPartitionSessionStatusResponse();
            assertThat(status.getCommittedOffset()).isEqualTo(4);
            assertThat(status.getPartitionOffsets().getEnd()).isEqualTo(10);
        }
    }
}
