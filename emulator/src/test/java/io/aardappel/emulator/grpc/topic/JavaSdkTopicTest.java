package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.description.Codec;
import tech.ydb.topic.description.Consumer;
import tech.ydb.topic.description.MetadataItem;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.CreateTopicSettings;
import tech.ydb.topic.settings.ReaderSettings;
import tech.ydb.topic.settings.TopicReadSettings;
import tech.ydb.topic.settings.WriterSettings;
import tech.ydb.topic.write.Message;
import tech.ydb.topic.write.SyncWriter;

@DisplayName("The Java SDK's topic client")
class JavaSdkTopicTest {
    private static YdbEmulator emulator;
    private static GrpcTransport transport;
    private static TopicClient client;
    private static int number;

    private String topic;

    @BeforeAll
    static void start() {
        emulator = YdbEmulator.builder().start();
        transport =
                GrpcTransport.forConnectionString(emulator.connectionString()).build();
        client = TopicClient.newClient(transport).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        transport.close();
        emulator.close();
    }

    @BeforeEach
    void createTopic() {
        topic = "topic" + number++;
        client.createTopic(
                        topic,
                        CreateTopicSettings.newBuilder()
                                .addConsumer(Consumer.newBuilder().setName("c").build())
                                .build())
                .join()
                .expectSuccess("cannot create a topic");
    }

    private void write(Codec codec, Message... messages) throws Exception {
        SyncWriter writer = client.createSyncWriter(WriterSettings.newBuilder()
                .setTopicPath(topic)
                .setProducerId("p")
                .setCodec(codec)
                .build());
        writer.initAndWait();
        for (Message message : messages) {
            writer.send(message);
        }
        writer.flush();
        writer.shutdown(10, TimeUnit.SECONDS);
    }

    private SyncReader reader() throws Exception {
        SyncReader reader = client.createSyncReader(ReaderSettings.newBuilder()
                .setConsumerName("c")
                .addTopic(TopicReadSettings.newBuilder().setPath(topic).build())
                .build());
        reader.initAndWait();
        return reader;
    }

    private static Message message(String text) {
        return Message.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(tech.ydb.topic.read.Message message) {
        return new String(message.getData(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(
            value = Codec.class,
            names = {"RAW", "GZIP", "ZSTD"})
    void readsWhatItWroteInEveryCodec(Codec codec) throws Exception {
        write(codec, message("a"), message("b"));
        SyncReader reader = reader();
        assertThat(text(reader.receive())).isEqualTo("a");
        assertThat(text(reader.receive())).isEqualTo("b");
        reader.shutdown();
    }

    @Test
    void goesOnWhereItCommitted() throws Exception {
        write(Codec.RAW, message("a"), message("b"), message("c"));
        SyncReader first = reader();
        first.receive().commit().join();
        first.shutdown();
        SyncReader second = reader();
        assertThat(text(second.receive())).isEqualTo("b");
        second.shutdown();
    }

    @Test
    void goesOnAfterItsStreamWasCut() throws Exception {
        write(Codec.RAW, message("a"));
        SyncReader reader = reader();
        reader.receive().commit().join();
        emulator.topicFaults().cutReaders(emulator.topics("/local").get("/local/" + topic));
        write(Codec.RAW, message("b"));
        assertThat(text(reader.receive())).isEqualTo("b");
        reader.shutdown();
    }

    @Test
    void readsChildrenOfASplitOnceTheParentIsCommitted() throws Exception {
        write(Codec.RAW, message("a"));
        emulator.topics("/local").get("/local/" + topic).split(0, null);
        write(Codec.RAW, message("b"));
        SyncReader reader = reader();
        tech.ydb.topic.read.Message parent = reader.receive();
        parent.commit().join();
        tech.ydb.topic.read.Message child = reader.receive();
        assertThat(text(child)).isEqualTo("b");
        assertThat(child.getPartitionSession().getPartitionId()).isPositive();
        reader.shutdown();
    }

    @Test
    void carriesMetadata() throws Exception {
        write(
                Codec.RAW,
                Message.newBuilder()
                        .setData(new byte[] {1})
                        .addMetadataItem(new MetadataItem("key", new byte[] {7}))
                        .build());
        SyncReader reader = reader();
        assertThat(reader.receive().getMetadataItems())
                .extracting(MetadataItem::getKey)
                .containsExactly("key");
        reader.shutdown();
    }

    @Test
    void sharesPartitionsBetweenTwoReaders() throws Exception {
        emulator.topics("/local").get("/local/" + topic).split(0, null);
        SyncReader first = reader();
        SyncReader second = reader();
        List<SyncReader> readers = new ArrayList<>(List.of(first, second));
        for (int partition = 1; partition <= 2; partition++) {
            SyncWriter writer = client.createSyncWriter(WriterSettings.newBuilder()
                    .setTopicPath(topic)
                    .setPartitionId(partition)
                    .build());
            writer.initAndWait();
            writer.send(message("to " + partition));
            writer.flush();
            writer.shutdown(10, TimeUnit.SECONDS);
        }
        int received = 0;
        while (received < 2) {
            for (SyncReader reader : readers) {
                tech.ydb.topic.read.Message message = reader.receive(100, TimeUnit.MILLISECONDS);
                if (message != null) {
                    message.commit().join();
                    received++;
                }
            }
        }
        assertThat(received).isEqualTo(2);
        readers.forEach(SyncReader::shutdown);
    }
}
