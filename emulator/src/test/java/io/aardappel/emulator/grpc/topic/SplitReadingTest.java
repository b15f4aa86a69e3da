package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.topic.Topic;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.EndPartitionSession;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;

@DisplayName("A reader of a topic whose partitions split and merge")
class SplitReadingTest {
    private static final String CONSUMER = "c";

    private final TopicServer server = new TopicServer();
    private Topic topic;

    @BeforeEach
    void createTopic() {
        topic = server.create("t", 1, CONSUMER);
        TopicServer.fill(topic, 0, 0, 3);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ReadClient open(boolean support) {
        InitRequest.Builder init =
                InitRequest.newBuilder().setConsumer(CONSUMER).setAutoPartitioningSupport(support);
        init.addTopicsReadSettingsBuilder().setPath("t");
        ReadClient reader = server.reader().init(init);
        assertThat(reader.next().hasInitResponse()).isTrue();
        return reader.credit(1_000_000);
    }

    private static EndPartitionSession end(ReadClient reader) {
        FromServer message = reader.next();
        assertThat(message.hasEndPartitionSession()).as("%s", message).isTrue();
        return message.getEndPartitionSession();
    }

    @Nested
    @DisplayName("that knows of it")
    class ThatKnows {
        private ReadClient reader;
        private long parent;
        private List<Integer> children;

        @BeforeEach
        void readToTheEnd() {
            children = topic.split(0, null);
            reader = open(true);
            parent = reader.startedId();
            reader.confirm(parent);
            reader.texts(3);
        }

        @Test
        void isToldTheEndAndTheChildren() {
            EndPartitionSession end = end(reader);
            assertThat(end.getPartitionSessionId()).isEqualTo(parent);
            assertThat(end.getChildPartitionIdsList())
                    .containsExactlyElementsOf(
                            children.stream().map(Integer::longValue).toList());
            assertThat(end.getAdjacentPartitionIdsList()).isEmpty();
        }

        @Test
        void getsTheChildrenBeforeItCommitsTheParent() {
            end(reader);
            assertThat(List.of((int) reader.started().getPartitionSession().getPartitionId(), (int)
                            reader.started().getPartitionSession().getPartitionId()))
                    .containsExactlyElementsOf(children);
        }

        @Test
        void losesTheChildrenWhenTheParentIsTakenUncommitted() {
            end(reader);
            long left = reader.startedId();
            long right = reader.startedId();
            server.service.faults().takeAndGiveBack(topic, 0);
            assertThat(List.of(
                            reader.stopRequested().getPartitionSessionId(),
                            reader.stopRequested().getPartitionSessionId(),
                            reader.stopRequested().getPartitionSessionId()))
                    .containsExactlyInAnyOrder(parent, left, right);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isZero();
        }

        @Test
        void keepsTheChildrenWhenTheParentIsTakenCommitted() {
            end(reader);
            reader.startedId();
            reader.startedId();
            reader.commit(parent, 0, 3).committed();
            server.service.faults().takeAndGiveBack(topic, 0);
            assertThat(reader.stopRequested().getPartitionSessionId()).isEqualTo(parent);
            reader.silent();
        }

        @Test
        void sharesNoChildWithASecondReaderBeforeTheParentIsCommitted() {
            end(reader);
            reader.startedId();
            reader.startedId();
            ReadClient second = open(true);
            second.silent();
            reader.silent();
        }
    }

    @Nested
    @DisplayName("that does not know of it")
    class ThatDoesNotKnow {
        private ReadClient reader;
        private long parent;

        @BeforeEach
        void readToTheEnd() {
            topic.split(0, null);
            reader = open(false);
            parent = reader.startedId();
            reader.confirm(parent);
            reader.texts(3);
        }

        @Test
        void getsNoChildBeforeAllOfTheParentIsCommitted() {
            reader.commit(parent, 0, 2).committed();
            reader.silent();
        }

        @Test
        void getsTheChildrenOnceAllIsCommitted() {
            assertThat(reader.commit(parent, 0, 3).committed()).isEqualTo(3);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(1);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(2);
        }

        @Test
        void getsThemTooWhenTheParentIsCommittedFromOutside() {
            topic.setCommitted(CONSUMER, 0, 3);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(1);
        }
    }

    @Nested
    @DisplayName("while it reads")
    class WhileItReads {
        @Test
        void isToldOfASplitThatComesLater() {
            ReadClient reader = open(true);
            reader.confirm(reader.startedId());
            reader.texts(3);
            topic.split(0, null);
            assertThat(end(reader).getChildPartitionIdsList()).containsExactly(1L, 2L);
        }

        @Test
        void isToldTheNeighbourOfAMerge() {
            topic.split(0, null);
            topic.commit(CONSUMER, 0, 3);
            ReadClient reader = open(true);
            reader.confirm(reader.startedId()).confirm(reader.startedId()).silent();
            topic.merge(1, 2);
            EndPartitionSession first = end(reader);
            assertThat(first.getAdjacentPartitionIdsList()).containsExactly(2L);
            assertThat(first.getChildPartitionIdsList()).containsExactly(3L);
        }

        @Test
        void getsAMergedPartitionAfterBothParents() {
            topic.split(0, null);
            topic.commit(CONSUMER, 0, 3);
            TopicServer.fill(topic, 1, 0, 1);
            TopicServer.fill(topic, 2, 0, 1);
            ReadClient reader = open(false);
            long left = reader.startedId();
            long right = reader.startedId();
            reader.confirm(left).confirm(right);
            reader.texts(2);
            topic.merge(2, 1);
            reader.commit(left, 0, 1).committed();
            reader.silent();
            reader.commit(right, 0, 1).committed();
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(3);
        }

        @Test
        void skipsAPartitionThatIsDoneWhenItComesAnew() {
            topic.split(0, null);
            topic.commit(CONSUMER, 0, 3);
            ReadClient reader = open(false);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(1);
            assertThat(reader.started().getPartitionSession().getPartitionId()).isEqualTo(2);
            reader.silent();
        }
    }
}
