package io.aardappel.replicator.ydb.topics;

import io.aardappel.replicator.codec.ChangeDecoder;
import io.aardappel.replicator.codec.DestinationShapes;
import io.aardappel.replicator.codec.FeedImages;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.Batch;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.MessageData;

/**
 * Decodes one partition's messages by the destination's shape as it is now. Before a record counts as unfit the shape is
 * read again, which may block. Not thread-safe.
 */
final class PartitionDecoder {
    /** Records with the offsets they had. */
    record Decoded(long[] offsets, List<StreamRecord> records) {}

    private final String table;
    private final FeedImages images;
    private final DestinationShapes shapes;
    private final KeyFilter filter;
    private TableShape shape;
    private ChangeDecoder decoder;

    PartitionDecoder(String table, FeedImages images, DestinationShapes shapes, KeyFilter filter) {
        this.table = table;
        this.images = images;
        this.shapes = shapes;
        this.filter = filter;
        this.shape = shapes.current(table);
        this.decoder = new ChangeDecoder(shape, images);
    }

    /** Decodes what is at or above the offset. */
    Decoded decode(List<Batch> batches, long fromOffset) {
        use(shapes.current(table));
        int most = batches.stream().mapToInt(Batch::getMessageDataCount).sum();
        long[] offsets = new long[most];
        List<StreamRecord> records = new ArrayList<>(most);
        long next = fromOffset;
        for (Batch batch : batches) {
            for (MessageData message : batch.getMessageDataList()) {
                if (message.getOffset() >= next) {
                    next = message.getOffset() + 1;
                    offsets[records.size()] = message.getOffset();
                    records.add(decode(batch.getCodec(), message));
                }
            }
        }
        return new Decoded(records.size() == most ? offsets : Arrays.copyOf(offsets, records.size()), records);
    }

    private StreamRecord decode(int codec, MessageData message) {
        byte[] bytes;
        try {
            bytes = Payload.unpack(codec, message.getData());
        } catch (IOException broken) {
            return new Unfit(Position.ZERO, "", "the message cannot be unpacked: " + broken.getMessage());
        }
        if (filter.drops(bytes)) {
            return new Filtered();
        }
        StreamRecord record = decoder.decode(bytes);
        boolean schemaMayHaveChanged = record instanceof Unfit || record instanceof SchemaChange;
        return schemaMayHaveChanged && use(shapes.refresh(table)) ? decoder.decode(bytes) : record;
    }

    private boolean use(TableShape now) {
        if (now.equals(shape)) {
            return false;
        }
        shape = now;
        decoder = new ChangeDecoder(now, images);
        return true;
    }
}
