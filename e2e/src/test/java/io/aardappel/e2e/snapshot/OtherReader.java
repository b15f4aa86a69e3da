package io.aardappel.e2e.snapshot;

import io.aardappel.emulator.YdbEmulator;
import java.util.List;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.DescribeConsumerSettings;
import tech.ydb.topic.settings.ReaderSettings;
import tech.ydb.topic.settings.TopicReadSettings;

/**
 * Somebody else who wants one partition for the replicator's consumer, through the SDK, and commits nothing. It is
 * given the partition as soon as nobody else has it.
 */
final class OtherReader implements AutoCloseable {
    private static final String NAME = "somebody else";

    private final String topic;
    private final long partition;
    private final GrpcTransport transport;
    private final TopicClient client;
    private final SyncReader reader;

    /** Reads the feed of a source table; the server knows of it when this returns. */
    OtherReader(YdbEmulator emulator, String table, long partition) {
        this.topic = Scene.SOURCE + "/" + table + "/feed";
        this.partition = partition;
        this.transport = GrpcTransport.forConnectionString(emulator.connectionString(Scene.SOURCE))
                .build();
        this.client = TopicClient.newClient(transport).build();
        this.reader = client.createSyncReader(ReaderSettings.newBuilder()
                .setConsumerName(Scene.CONSUMER)
                .setReaderName(NAME)
                .addTopic(TopicReadSettings.newBuilder()
                        .setPath(topic)
                        .setPartitionIds(List.of(partition))
                        .build())
                .build());
        reader.initAndWait();
    }

    /** Whether the description of the consumer, in which people look, names this as the reader of the partition. */
    boolean isNamed() {
        return client
                .describeConsumer(
                        topic,
                        Scene.CONSUMER,
                        DescribeConsumerSettings.newBuilder()
                                .withIncludeStats(true)
                                .build())
                .join()
                .getValue()
                .getPartitions()
                .stream()
                .filter(described -> described.getPartitionId() == partition)
                .anyMatch(described ->
                        described.getConsumerStats().getReaderName().equals(NAME));
    }

    @Override
    public void close() {
        reader.shutdown();
        client.close();
        transport.close();
    }
}
