package io.aardappel.replicator.problems;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tech.ydb.core.Result;
import tech.ydb.core.UnexpectedResultException;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.description.OffsetsRange;
import tech.ydb.topic.description.PartitionInfo;
import tech.ydb.topic.description.TopicDescription;
import tech.ydb.topic.read.Message;
import tech.ydb.topic.read.SyncReader;
import tech.ydb.topic.settings.DescribeTopicSettings;
import tech.ydb.topic.settings.ReaderSettings;
import tech.ydb.topic.settings.TopicReadSettings;

/** Reads the dead letters that are there, without a consumer, so that nothing is changed by it. One thread only. */
public final class TopicLetters implements AutoCloseable {
    /** Time limits that one silence may last, before the rest counts as unreadable. */
    private static final int SILENCE_MAX = 10;

    private final TopicClient client;
    private final String path;
    private final Duration timeout;
    private final int tries;

    /**
     * One message as it stands in the topic.
     *
     * @param partition of the topic of dead letters
     * @param offset in it
     */
    public record Posted(long partition, long offset, Instant writtenAt, byte[] message) {
        /** How people name it: partition, colon, offset. */
        public String name() {
            return partition + ":" + offset;
        }
    }

    /**
     * Opens nothing yet. The transport belongs to the caller.
     *
     * @param path absolute path of the topic
     * @param timeout of one call
     * @param tries how often the topic is asked for before it counts as unreadable; at least 1
     */
    public TopicLetters(GrpcTransport transport, String path, Duration timeout, int tries) {
        this.client = TopicClient.newClient(transport).build();
        this.path = path;
        this.timeout = timeout;
        this.tries = tries;
    }

    /**
     * Gives all that are there when the reading begins, by partition and offset. Waits.
     *
     * @return why not all could be read, absent when they were
     */
    public Optional<String> read(Consumer<Posted> taker) {
        try {
            TopicDescription described = described().getValue();
            for (PartitionInfo partition : described.getPartitions()) {
                OffsetsRange offsets = partition.getPartitionStats().getPartitionOffsets();
                if (offsets.getStart() < offsets.getEnd()
                        && !read(partition.getPartitionId(), offsets.getEnd(), taker)) {
                    return Optional.of(
                            "topic " + path + ", partition " + partition.getPartitionId() + ": nothing came for "
                                    + timeout.multipliedBy(SILENCE_MAX).toSeconds() + " s");
                }
            }
            return Optional.empty();
        } catch (UnexpectedResultException | CompletionException refused) {
            return Optional.of("topic " + path + ": " + refused.getMessage());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Optional.of("topic " + path + ": the process ends");
        }
    }

    private Result<TopicDescription> described() {
        Result<TopicDescription> described = describe();
        for (int made = 1; made < tries && described.getStatus().getCode().isRetryable(true); made++) {
            described = describe();
        }
        return described;
    }

    private Result<TopicDescription> describe() {
        return client.describeTopic(
                        path,
                        DescribeTopicSettings.newBuilder()
                                .withIncludeStats(true)
                                .withRequestTimeout(timeout)
                                .build())
                .join();
    }

    /** Whether it came to the end. */
    private boolean read(long partition, long end, Consumer<Posted> taker) throws InterruptedException {
        SyncReader reader = client.createSyncReader(ReaderSettings.newBuilder()
                .withoutConsumer()
                .addTopic(TopicReadSettings.newBuilder()
                        .setPath(path)
                        .setPartitionIds(List.of(partition))
                        .build())
                .build());
        try {
            reader.init();
            long next = 0;
            while (next < end) {
                Message message = reader.receive(timeout.toMillis() * SILENCE_MAX, TimeUnit.MILLISECONDS);
                if (message == null) {
                    return false;
                }
                next = message.getOffset() + 1;
                if (next <= end) {
                    taker.accept(new Posted(partition, message.getOffset(), message.getWrittenAt(), message.getData()));
                }
            }
            return true;
        } finally {
            reader.shutdown();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
