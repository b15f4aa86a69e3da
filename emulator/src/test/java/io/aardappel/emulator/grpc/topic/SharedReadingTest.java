package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.model.fault.Fault;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Topic;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StopPartitionSessionRequest;

@DisplayName("Readers of one consumer")
class SharedReadingTest {
    private static final String CONSUMER = "c";
    private static final Duration RELEASE_WAIT = Duration.ofMillis(200);

    private final TopicServer server = new TopicServer(RELEASE_WAIT);
    private Topic topic;

    @BeforeEach
    void createTopic() {
        topic = server.create("t", 4, CONSUMER);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ReadClient reader() {
        return server.reader().open(CONSUMER, "t").credit(1_000_000);
    }

    /** Confirms the next sessions and answers their ids by partition. */
    private static Map<Integer, Long> confirm(ReadClient reader, int count) {
        Map<Integer, Long> sessions = new HashMap<>();
        for (int i = 0; i < count; i++) {
            var session = reader.started().getPartitionSession();
            reader.confirm(session.getPartitionSessionId());
            sessions.put((int) session.getPartitionId(), session.getPartitionSessionId());
        }
        return sessions;
    }

    private ReadClient naming(long... partitions) {
        InitRequest.Builder init = InitRequest.newBuilder().setConsumer(CONSUMER);
        var settings = init.addTopicsReadSettingsBuilder().setPath("t");
        for (long partition : partitions) {
            settings.addPartitionIds(partition);
        }
        ReadClient reader = server.reader().init(init);
        assertThat(reader.next().hasInitResponse()).isTrue();
        return reader.credit(1_000_000);
    }

    @Nested
    @DisplayName("when the first one comes")
    class WhenTheFirstComes {
        @Test
        void getsAllPartitions() {
            assertThat(confirm(reader(), 4)).containsOnlyKeys(0, 1, 2, 3);
        }

        @Test
        void getsASessionIdOfItsOwnForEach() {
            assertThat(confirm(reader(), 4).values()).doesNotHaveDuplicates();
        }
    }

    @Nested
    @DisplayName("when a second one comes")
    class WhenASecondComes {
        private ReadClient first;
        private ReadClient second;

        @BeforeEach
        void join() {
            first = reader();
            confirm(first, 4);
            second = reader();
        }

        @Test
        void theFirstIsAskedForHalfOfThem() {
            List<StopPartitionSessionRequest> stops = List.of(first.stopRequested(), first.stopRequested());
            assertThat(stops).allMatch(StopPartitionSessionRequest::getGraceful);
            first.silent();
        }

        @Test
        void theSecondGetsNothingBeforeTheyAreReleased() {
            first.stopRequested();
            second.silent();
        }

        @Test
        void theSecondGetsWhatIsReleased() {
            for (int i = 0; i < 2; i++) {
                first.release(first.stopRequested().getPartitionSessionId());
            }
            assertThat(confirm(second, 2)).hasSize(2);
        }

        @Test
        void theFirstMayStillCommitWhatItIsAskedFor() {
            TopicServer.fill(topic, 0, 0, 10);
            TopicServer.fill(topic, 1, 0, 10);
            TopicServer.fill(topic, 2, 0, 10);
            TopicServer.fill(topic, 3, 0, 10);
            long stopped = first.stopRequested().getPartitionSessionId();
            assertThat(first.stopRequested().getGraceful()).isTrue();
            first.texts(20);
            first.commit(stopped, 0, 3);
            assertThat(first.committed()).isEqualTo(3);
        }

        @Test
        void oneThatDoesNotAnswerLosesThemAfterAWhile() {
            first.stopRequested();
            first.stopRequested();
            assertThat(first.stopRequested().getGraceful()).isFalse();
            assertThat(confirm(second, 1)).hasSize(1);
        }

        @Test
        void oneThatGoesAwayFreesAllAtOnce() {
            first.cancel();
            assertThat(confirm(second, 4)).containsOnlyKeys(0, 1, 2, 3);
        }

        @Test
        void oneThatEndsItsStreamFreesAllAtOnce() {
            first.complete();
            assertThat(confirm(second, 4)).containsOnlyKeys(0, 1, 2, 3);
        }
    }

    @Nested
    @DisplayName("that name partitions")
    class ThatNamePartitions {
        @Test
        void getOnlyThese() {
            ReadClient reader = naming(1, 3);
            assertThat(confirm(reader, 2)).containsOnlyKeys(1, 3);
            reader.silent();
        }

        @Test
        void takeTheirsFromOneThatNamesNone() {
            ReadClient any = reader();
            Map<Integer, Long> sessions = confirm(any, 4);
            ReadClient named = naming(2);
            assertThat(any.stopRequested().getPartitionSessionId()).isEqualTo(sessions.get(2));
            any.release(sessions.get(2));
            assertThat(confirm(named, 1)).containsOnlyKeys(2);
        }

        @Test
        void areRefusedWhenThereIsNoSuchPartition() {
            InitRequest.Builder init = InitRequest.newBuilder().setConsumer(CONSUMER);
            init.addTopicsReadSettingsBuilder().setPath("t").addPartitionIds(7);
            server.reader().init(init).refused(StatusCode.BAD_REQUEST);
        }
    }

    @Nested
    @DisplayName("without a consumer")
    class WithoutAConsumer {
        private ReadClient open() {
            InitRequest.Builder init = InitRequest.newBuilder();
            init.addTopicsReadSettingsBuilder().setPath("t").addPartitionIds(0);
            ReadClient reader = server.reader().init(init);
            assertThat(reader.next().hasInitResponse()).isTrue();
            return reader.credit(1_000_000);
        }

        @Test
        void allReadTheSamePartition() {
            TopicServer.fill(topic, 0, 0, 2);
            for (ReadClient reader : List.of(open(), open())) {
                confirm(reader, 1);
                assertThat(reader.texts(2)).containsExactly("m0", "m1");
            }
        }

        @Test
        void mayNotCommit() {
            ReadClient reader = open();
            long session = confirm(reader, 1).get(0);
            reader.commit(session, 0, 1).refused(StatusCode.BAD_REQUEST);
        }
    }

    @Nested
    @DisplayName("with several topics in one stream")
    class WithSeveralTopics {
        @Test
        void areToldWhichTopicAPartitionBelongsTo() {
            server.create("u", 1, CONSUMER);
            ReadClient reader = server.reader().open(CONSUMER, "t", "/local/u");
            List<String> paths = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                paths.add(reader.started().getPartitionSession().getPath());
            }
            assertThat(paths).containsExactly("t", "t", "t", "t", "u");
        }
    }

    @Nested
    @DisplayName("that answer a stop nobody asked for")
    class ThatAnswerUnasked {
        @Test
        void areRefused() {
            ReadClient reader = reader();
            Map<Integer, Long> sessions = confirm(reader, 4);
            reader.release(sessions.get(0)).refused(StatusCode.BAD_REQUEST);
        }
    }

    @Nested
    @DisplayName("while something is done to their topic")
    class WhileSomethingIsDone {
        private ReadClient reader;
        private Map<Integer, Long> sessions;

        @BeforeEach
        void read() {
            TopicServer.fill(topic, 2, 0, 5);
            reader = reader();
            sessions = confirm(reader, 4);
            reader.texts(5);
        }

        @Test
        void beginAnewWhereACommitFromOutsideSaid() {
            server.calls()
                    .commitOffset(CommitOffsetRequest.newBuilder()
                            .setPath("t")
                            .setConsumer(CONSUMER)
                            .setPartitionId(2)
                            .setOffset(4)
                            .build());
            assertThat(reader.stopRequested().getPartitionSessionId()).isEqualTo(sessions.get(2));
            var start = reader.started();
            assertThat(start.getCommittedOffset()).isEqualTo(4);
            reader.confirm(start.getPartitionSession().getPartitionSessionId());
            assertThat(reader.texts(1)).containsExactly("m4");
        }

        @Test
        void loseAPartitionThatIsTakenAndGetItBack() {
            server.service.faults().takeAndGiveBack(topic, 2);
            var stop = reader.stopRequested();
            assertThat(stop.getGraceful()).isFalse();
            var start = reader.started().getPartitionSession();
            assertThat(start.getPartitionId()).isEqualTo(2);
            assertThat(start.getPartitionSessionId()).isNotEqualTo(stop.getPartitionSessionId());
        }

        @Test
        void mayCommitTooLateForAPartitionThatIsTaken() {
            server.service.faults().takeAndGiveBack(topic, 2);
            long taken = reader.stopRequested().getPartitionSessionId();
            reader.started();
            reader.commit(taken, 0, 5).silent();
            assertThat(topic.committed(CONSUMER, 2)).isZero();
        }

        @Test
        void areCutOffOnCommand() {
            server.service.faults().cutReaders(topic);
            assertThat(reader.broken().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }

        @Test
        void endWithTheirTopic() {
            server.database.dropTopic("/local/t", false);
            reader.refused(StatusCode.SCHEME_ERROR);
        }

        @Test
        void endWhenItIsCreatedAnew() {
            topic.recreate(new VirtualTimestamp(99, 1));
            reader.refused(StatusCode.SCHEME_ERROR);
        }

        @Test
        void getNothingFromASilentPartition() {
            server.service.faults().silence(topic, 2, Duration.ofHours(1));
            reader.silent();
            TopicServer.fill(topic, 2, 5, 6);
            reader.silent();
        }

        @Test
        void getMessagesOfASlowPartitionLater() {
            server.faults.add(FaultRule.of(Fault.PARTITION_SLOW).inPartition(2).withDelay(Duration.ofMillis(50)));
            TopicServer.fill(topic, 2, 5, 6);
            assertThat(reader.texts(1)).containsExactly("m5");
            assertThat(server.faults.fired(Fault.PARTITION_SLOW)).isPositive();
        }

        @Test
        void loseAPartitionByAScheduledMove() {
            server.faults.add(FaultRule.of(Fault.PARTITION_MOVED).inPartition(2).times(1));
            TopicServer.fill(topic, 2, 5, 6);
            assertThat(reader.stopRequested().getGraceful()).isFalse();
            reader.confirm(reader.startedId());
            assertThat(reader.texts(6)).endsWith("m5");
        }

        @Test
        void goOnAtTheOldestMessageAfterARetentionCut() {
            server.service.faults().silence(topic, 2, Duration.ofMillis(100));
            reader.silent();
            TopicServer.fill(topic, 2, 5, 10);
            topic.cutOldest(8);
            assertThat(reader.texts(2)).containsExactly("m8", "m9");
        }
    }
}
