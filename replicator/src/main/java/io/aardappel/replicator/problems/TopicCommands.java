package io.aardappel.replicator.problems;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.description.ConsumerDescription;
import tech.ydb.topic.description.ConsumerPartitionInfo;
import tech.ydb.topic.description.OffsetsRange;
import tech.ydb.topic.read.Message;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.DescribeConsumerSettings;
import tech.ydb.topic.settings.ReaderSettings;
import tech.ydb.topic.settings.TopicReadSettings;

/**
 * The command queue in a topic, read anew each time from what its consumer has committed to where it ended when the reading
 * began. One thread only.
 */
public final class TopicCommands implements CommandQueue {
    private static final Logger LOG = LoggerFactory.getLogger(TopicCommands.class);

    /** A reading ends after this many of its silences at the latest. */
    private static final int SILENCES_MAX = 12;

    private final TopicClient client;
    private final String path;
    private final String consumer;
    private final Duration silence;

    /**
     * Opens nothing yet. The transport belongs to the caller.
     *
     * @param path absolute path of the topic
     * @param silence a reading ends when it has begun and no message comes for so long
     */
    public TopicCommands(GrpcTransport transport, String path, String consumer, Duration silence) {
        this.client = TopicClient.newClient(transport).build();
        this.path = path;
        this.consumer = consumer;
        this.silence = silence;
    }

    @Override
    public List<byte[]> read() {
        List<byte[]> messages = new ArrayList<>();
        try {
            Map<Long, Long> ends = unreadEnds();
            if (!ends.isEmpty()) {
                readTo(ends, messages);
            }
        } catch (RuntimeException failed) {
            LOG.atError()
                    .setMessage("the command queue could not be read to its end")
                    .addKeyValue("topic", path)
                    .addKeyValue("consumer", consumer)
                    .setCause(failed)
                    .log();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        return messages;
    }

    /** Of each partition that has messages which the consumer has not committed, where it ends. */
    private Map<Long, Long> unreadEnds() {
        ConsumerDescription described = client.describeConsumer(
                        path,
                        consumer,
                        DescribeConsumerSettings.newBuilder()
                                .withIncludeStats(true)
                                .withRequestTimeout(silence.multipliedBy(SILENCES_MAX))
                                .build())
                .join()
                .getValue();
        Map<Long, Long> ends = new HashMap<>();
        for (ConsumerPartitionInfo partition : described.getPartitions()) {
            OffsetsRange offsets = partition.getPartitionStats().getPartitionOffsets();
            long from =
                    Math.max(offsets.getStart(), partition.getConsumerStats().getCommittedOffset());
            if (from < offsets.getEnd()) {
                ends.put(partition.getPartitionId(), offsets.getEnd());
            }
        }
        return ends;
    }

    /** Sessions take their time to begin, so only after the first message does a silence mean that there is no more. */
    private void readTo(Map<Long, Long> ends, List<byte[]> messages) throws InterruptedException {
        SyncReader reader = client.createSyncReader(ReaderSettings.newBuilder()
                .setConsumerName(consumer)
                .addTopic(TopicReadSettings.newBuilder().setPath(path).build())
                .build());
        try {
            reader.init();
            long end = System.nanoTime() + SILENCES_MAX * silence.toNanos();
            while (!ends.isEmpty() && System.nanoTime() < end) {
                Message message = reader.receive(silence.toMillis(), TimeUnit.MILLISECONDS);
                if (message != null) {
                    messages.add(message.getData());
                    long partition = message.getPartitionSession().getPartitionId();
                    ends.computeIfPresent(partition, (id, last) -> message.getOffset() + 1 >= last ? null : last);
                } else if (!messages.isEmpty()) {
                    return;
                }
            }
        } finally {
            reader.shutdown();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
