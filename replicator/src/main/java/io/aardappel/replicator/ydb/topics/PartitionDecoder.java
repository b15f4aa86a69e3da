package io.aardappel.replicator.ydb.topics;

import com.google.protobuf.ByteString;
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
    /** Small enough to be in the processor's cache while it is read. */
    private static final int PIECE_BYTES = 64 << 10;

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
        Piece piece = new Piece(records);
        long next = fromOffset;
        int taken = 0;
        for (Batch batch : batches) {
            for (MessageData message : batch.getMessageDataList()) {
                if (message.getOffset() >= next) {
                    next = message.getOffset() + 1;
                    offsets[taken++] = message.getOffset();
                    if (Payload.isPlain(batch.getCodec()) && filter == KeyFilter.NONE) {
                        piece.add(message.getData());
                    } else {
                        piece.decode();
                        records.add(decodeAlone(batch.getCodec(), message));
                    }
                }
            }
        }
        piece.decode();
        return new Decoded(taken == most ? offsets : Arrays.copyOf(offsets, taken), records);
    }

    private StreamRecord decodeAlone(int codec, MessageData message) {
        byte[] bytes;
        try {
            bytes = Payload.unpack(codec, message.getData());
        } catch (IOException broken) {
            return new Unfit(Position.ZERO, "", "the message cannot be unpacked: " + broken.getMessage());
        }
        if (filter.drops(bytes)) {
            return new Filtered();
        }
        return withNewestShape(decoder.decode(bytes), bytes, 0, bytes.length);
    }

    /** What the message is after the destination's shape was read again, if it is about that or does not fit. */
    private StreamRecord withNewestShape(StreamRecord record, byte[] buffer, int from, int to) {
        boolean schemaMayHaveChanged = record instanceof Unfit || record instanceof SchemaChange;
        return schemaMayHaveChanged && use(shapes.refresh(table)) ? decoder.decode(buffer, from, to - from) : record;
    }

    /** Messages that are laid one behind the other, to be decoded in one go. */
    private final class Piece {
        private final List<StreamRecord> records;
        private final List<ByteString> messages = new ArrayList<>();
        private int size;

        Piece(List<StreamRecord> records) {
            this.records = records;
        }

        void add(ByteString message) {
            messages.add(message);
            size += message.size();
            if (size >= PIECE_BYTES) {
                decode();
            }
        }

        void decode() {
            byte[] buffer = new byte[size];
            int end = 0;
            for (ByteString message : messages) {
                message.copyTo(buffer, end);
                end += message.size();
            }
            int from = 0;
            for (ByteString message : messages) {
                int to = from + message.size();
                StreamRecord record = decoder.decodeNext(buffer, from, to, end);
                records.add(withNewestShape(record, buffer, from, to));
                from = to;
            }
            messages.clear();
            size = 0;
        }
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
