package io.aardappel.emulator.grpc.topic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnsafeByteOperations;
import io.aardappel.emulator.model.topic.Slice;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.topic.YdbTopic.MetadataItem;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse;

/**
 * Makes one read response of neighbouring messages: a batch ends where producer, codec, write time or session meta changes. The
 * data of messages is not copied. Not thread-safe.
 */
final class ReadBatcher {
    /** Most bytes of a response of more than one message. */
    static final int RESPONSE_BYTES_MAX = 1 << 19;

    /** At least what a message takes beside its data, texts and metadata. */
    private static final int MESSAGE_OVERHEAD_BYTES = 48;

    private static final int BATCH_OVERHEAD_BYTES = 32;
    private static final int ITEM_OVERHEAD_BYTES = 16;

    /**
     * A response ready to be sent.
     *
     * @param bytes what it takes from the credit
     * @param next offset after its last message
     */
    record Delivery(ReadResponse response, long bytes, long next) {}

    private final ReadResponse.PartitionData.Builder partition = ReadResponse.PartitionData.newBuilder();
    private ReadResponse.Batch.@Nullable Builder batch;
    private @Nullable TopicMessage last;
    private ByteString producer = ByteString.EMPTY;
    private long createdMillis = Long.MIN_VALUE;
    private Timestamp created = Timestamp.getDefaultInstance();
    private long bytes;

    private ReadBatcher() {}

    /**
     * Takes messages as long as they stay within the budget, at least one.
     *
     * @param budget bytes of credit that are left, above 0
     */
    static Delivery take(long sessionId, Slice slice, long budget) {
        return new ReadBatcher().fill(sessionId, slice, Math.min(budget, RESPONSE_BYTES_MAX));
    }

    /** Whether all the messages stay within the budget. */
    static boolean fits(Slice slice, long budget) {
        long bytes = 0;
        TopicMessage last = null;
        for (TopicMessage message : slice.messages()) {
            bytes += cost(message) + (last == null || !sameBatch(last, message) ? batchCost(message) : 0);
            if (bytes > budget) {
                return false;
            }
            last = message;
        }
        return true;
    }

    private Delivery fill(long sessionId, Slice slice, long budget) {
        List<TopicMessage> messages = slice.messages();
        int taken = 0;
        while (taken < messages.size()) {
            TopicMessage message = messages.get(taken);
            boolean newBatch = last == null || !sameBatch(last, message);
            long cost = cost(message) + (newBatch ? batchCost(message) : 0);
            if (taken > 0 && bytes + cost > budget) {
                break;
            }
            if (newBatch) {
                open(message);
            }
            add(slice.offset() + taken, message);
            bytes += cost;
            last = message;
            taken++;
        }
        close();
        partition.setPartitionSessionId(sessionId);
        ReadResponse response = ReadResponse.newBuilder()
                .addPartitionData(partition)
                .setBytesSize(bytes)
                .build();
        return new Delivery(response, bytes, slice.offset() + taken);
    }

    private static boolean sameBatch(TopicMessage one, TopicMessage other) {
        return one.writtenAtMillis() == other.writtenAtMillis()
                && one.codec() == other.codec()
                && one.producerId().equals(other.producerId())
                && one.sessionMeta().equals(other.sessionMeta());
    }

    private static long cost(TopicMessage message) {
        long cost = (long) message.data().length + message.producerId().length() + MESSAGE_OVERHEAD_BYTES;
        for (Map.Entry<String, byte[]> item : message.metadata().entrySet()) {
            cost += (long) item.getKey().length() + item.getValue().length + ITEM_OVERHEAD_BYTES;
        }
        return cost;
    }

    private static long batchCost(TopicMessage message) {
        long cost = (long) message.producerId().length() + BATCH_OVERHEAD_BYTES;
        for (Map.Entry<String, String> item : message.sessionMeta().entrySet()) {
            cost += (long) item.getKey().length() + item.getValue().length() + ITEM_OVERHEAD_BYTES;
        }
        return cost;
    }

    private void open(TopicMessage message) {
        close();
        producer = ByteString.copyFromUtf8(message.producerId());
        batch = ReadResponse.Batch.newBuilder()
                .setProducerIdBytes(producer)
                .setCodec(message.codec())
                .setWrittenAt(Times.timestamp(message.writtenAtMillis()))
                .putAllWriteSessionMeta(message.sessionMeta());
    }

    private void close() {
        if (batch != null) {
            partition.addBatches(batch);
            batch = null;
        }
    }

    private void add(long offset, TopicMessage message) {
        if (message.createdAtMillis() != createdMillis) {
            createdMillis = message.createdAtMillis();
            created = Times.timestamp(createdMillis);
        }
        ReadResponse.MessageData.Builder data = ReadResponse.MessageData.newBuilder()
                .setOffset(offset)
                .setSeqNo(message.seqNo())
                .setCreatedAt(created)
                .setData(UnsafeByteOperations.unsafeWrap(message.data()))
                .setUncompressedSize(message.uncompressedSize())
                .setMessageGroupIdBytes(producer);
        message.metadata()
                .forEach((key, value) -> data.addMetadataItems(
                        MetadataItem.newBuilder().setKey(key).setValue(UnsafeByteOperations.unsafeWrap(value))));
        if (batch == null) {
            throw new IllegalStateException("a message needs an open batch");
        }
        batch.addMessageData(data.build());
    }
}
