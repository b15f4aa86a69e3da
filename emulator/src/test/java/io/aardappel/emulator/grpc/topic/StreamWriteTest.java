package io.aardappel.emulator.grpc.topic;

import static io.aardappel.emulator.grpc.topic.WriteClient.messages;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import io.aardappel.emulator.model.topic.Slice;
import io.aardappel.emulator.model.topic.Topic;
import io.aardappel.emulator.model.topic.TopicRegistry.FeedTopicSpec;
import io.aardappel.emulator.model.topic.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.PartitionWithGeneration;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteRequest;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage.WriteResponse.WriteAck;

@DisplayName("A write stream")
class StreamWriteTest {
    private final TopicServer server = new TopicServer();
    private Topic topic;

    @BeforeEach
    void createTopic() {
        topic = server.create("t", 4, "c");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private WriteClient writer(String producer) {
        WriteClient writer = server.writer();
        writer.open("t", producer);
        return writer;
    }

    private List<String> stored(int partition) {
        Slice slice = topic.read(partition, 0);
        return slice.messages().stream()
                .map(message -> new String(message.data(), StandardCharsets.UTF_8))
                .toList();
    }

    @Nested
    @DisplayName("at its beginning")
    class AtItsBeginning {
        @Test
        void tellsTheLastSequenceNumberUnasked() {
            writer("a").write(messages(1, 8)).written();
            assertThat(server.writer().open("t", "a").getLastSeqNo()).isEqualTo(7);
        }

        @Test
        void keepsAProducerInOnePartition() {
            long first = server.writer().open("t", "a").getPartitionId();
            assertThat(server.writer().open("t", "a").getPartitionId()).isEqualTo(first);
        }

        @Test
        void spreadsWritersWithoutANameOverAllPartitions() {
            assertThat(List.of(0, 1, 2, 3).stream()
                            .map(i -> server.writer().open("t", "").getPartitionId()))
                    .containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
        }

        @Test
        void writesToTheNamedPartition() {
            WriteClient writer =
                    server.writer().init(InitRequest.newBuilder().setPath("t").setPartitionId(3));
            assertThat(writer.next().getInitResponse().getPartitionId()).isEqualTo(3);
        }

        @Test
        void refusesAPartitionThatIsNotThere() {
            server.writer()
                    .init(InitRequest.newBuilder().setPath("t").setPartitionId(9))
                    .refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesAPartitionThatWasSplit() {
            topic.split(3, null);
            server.writer()
                    .init(InitRequest.newBuilder().setPath("t").setPartitionId(3))
                    .refused(StatusCode.OVERLOADED);
        }

        @Test
        void refusesAnOldGeneration() {
            topic.move(3);
            server.writer()
                    .init(InitRequest.newBuilder()
                            .setPath("t")
                            .setPartitionWithGeneration(PartitionWithGeneration.newBuilder()
                                    .setPartitionId(3)
                                    .setGeneration(1)))
                    .refused(StatusCode.UNAVAILABLE);
        }

        @Test
        void refusesAnUnknownTopic() {
            server.writer().init(InitRequest.newBuilder().setPath("absent")).refused(StatusCode.SCHEME_ERROR);
        }

        @Test
        void refusesTheTopicOfAChangefeed() {
            server.topics.createFeedTopic(
                    new FeedTopicSpec("/local/table/feed", 1, false, 0, Duration.ofHours(1)), VirtualTimestamp.ZERO);
            server.writer().init(InitRequest.newBuilder().setPath("table/feed")).refused(StatusCode.SCHEME_ERROR);
        }

        @Test
        void refusesTwoNamesThatDiffer() {
            server.writer()
                    .init(InitRequest.newBuilder()
                            .setPath("t")
                            .setProducerId("a")
                            .setMessageGroupId("b"))
                    .refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesMessagesBeforeInit() {
            server.writer().write(messages(1, 2)).refused(StatusCode.BAD_REQUEST);
        }
    }

    @Nested
    @DisplayName("with messages")
    class WithMessages {
        @Test
        void acknowledgesEachInTheOrderSent() {
            WriteClient writer = writer("a").write(messages(1, 4)).write(messages(4, 6));
            assertThat(writer.written().getAcksList())
                    .extracting(WriteAck::getSeqNo)
                    .containsExactly(1L, 2L, 3L);
            assertThat(writer.written().getAcksList())
                    .extracting(WriteAck::getSeqNo)
                    .containsExactly(4L, 5L);
        }

        @Test
        void tellsTheirOffsets() {
            WriteClient writer = writer("a").write(messages(1, 4));
            assertThat(writer.written().getAcksList())
                    .extracting(ack -> ack.getWritten().getOffset())
                    .containsExactly(0L, 1L, 2L);
        }

        @Test
        void skipsWhatTheProducerWroteBefore() {
            writer("a").write(messages(1, 4)).written();
            WriteClient again = writer("a").write(messages(2, 5));
            assertThat(again.written().getAcksList())
                    .extracting(WriteAck::getMessageWriteStatusCase)
                    .containsExactly(
                            WriteAck.MessageWriteStatusCase.SKIPPED,
                            WriteAck.MessageWriteStatusCase.SKIPPED,
                            WriteAck.MessageWriteStatusCase.WRITTEN);
        }

        @Test
        void keepsAllOfAWriterWithoutAName() {
            WriteClient writer = writer("").write(messages(1, 3)).write(messages(1, 3));
            int partition = (int) writer.written().getPartitionId();
            writer.written();
            assertThat(stored(partition)).containsExactly("s1", "s2", "s1", "s2");
        }

        @Test
        void storesThemAsSentWithTheirCodec() {
            WriteClient writer = writer("a").write(messages(1, 2).setCodec(4));
            int partition = (int) writer.written().getPartitionId();
            assertThat(topic.read(partition, 0).messages().get(0).codec()).isEqualTo(4);
            assertThat(stored(partition)).containsExactly("s1");
        }

        @Test
        void refusesACodecThatTheTopicDoesNotSupport() {
            topic.alter(List.of(new TopicSpec.Change.SetCodecs(List.of(1, 2))));
            writer("a").write(messages(1, 2).setCodec(4)).refused(StatusCode.BAD_REQUEST);
        }

        @Test
        void refusesOneThatIsTooLarge() {
            writer("a").write(tooLarge()).refused(StatusCode.BAD_REQUEST);
        }

        private WriteRequest.Builder tooLarge() {
            WriteRequest.Builder request = WriteRequest.newBuilder().setCodec(1);
            request.addMessagesBuilder().setSeqNo(1).setData(ByteString.copyFrom(new byte[(12 << 20) + 1]));
            return request;
        }

        @Test
        void goesOnInAChildAfterASplit() {
            WriteClient writer = server.writer();
            int parent = (int) writer.open("t", "a").getPartitionId();
            writer.write(messages(1, 4)).written();
            List<Integer> children = topic.split(parent, null);
            writer.write(messages(4, 5)).refused(StatusCode.OVERLOADED);

            var reopened = server.writer().open("t", "a");
            assertThat(children).contains((int) reopened.getPartitionId());
            assertThat(reopened.getLastSeqNo()).isEqualTo(3);
        }
    }
}
