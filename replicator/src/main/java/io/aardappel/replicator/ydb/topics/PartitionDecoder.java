package io.aardappel.replicator.ydb.topics;

import com.google.protobuf.ByteString;
import io.aardappel.replicator.codec.ChangeDecoder;
import io.aardappel.replicator.codec.KeyFilter;
import io.aardappel.replicator.codec.SourceFeed;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Filtered;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.Batch;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadResponse.MessageData;

/**
 * Decodes one partition's messages by the destination's shape as it is now. Before a record counts as unfit the shape is
 * read again, which may block; a column that the table lacks is waited for. Not thread-safe.
 */
final class PartitionDecoder {
    /** Small enough to be in the processor's cache while it is read. */
    private static final int PIECE_BYTES = 64 << 10;

    /**
     * Records with the offsets they had.
     *
     * @param next where decoding goes on: behind the last message, or at one that has to wait with all that come behind it
     * @param need what that one waits for, in words; absent when none has to wait
     */
    record Decoded(long[] offsets, List<StreamRecord> records, long next, Optional<String> need) {}

    private final String table;
    private final SourceFeed feed;
    private final SchemaPatience patience;
    private final KeyFilter filter;
    private TableShape shape;
    private ChangeDecoder decoder;
    /** The column that the last record has to wait for, null when it has none. */
    private @Nullable String awaited;

    PartitionDecoder(String table, SourceFeed feed, SchemaPatience patience, KeyFilter filter) {
        this.table = table;
        this.feed = feed;
        this.patience = patience;
        this.filter = filter;
        this.shape = patience.current(table);
        this.decoder = new ChangeDecoder(shape, feed);
    }

    /** Decodes what is at or above the offset, up to the first record that has to wait. */
    Decoded decode(List<Batch> batches, long fromOffset) {
        use(patience.current(table));
        awaited = null;
        int most = batches.stream().mapToInt(Batch::getMessageDataCount).sum();
        long[] offsets = new long[most];
        List<StreamRecord> records = new ArrayList<>(most);
        Piece piece = new Piece(records);
        long next = fromOffset;
        int taken = 0;
        for (Batch batch : batches) {
            for (MessageData message : batch.getMessageDataList()) {
                if (message.getOffset() >= next && awaited == null) {
                    next = message.getOffset() + 1;
                    offsets[taken++] = message.getOffset();
                    if (Payload.isPlain(batch.getCodec()) && filter == KeyFilter.NONE) {
                        piece.add(message.getData());
                    } else {
                        piece.decode();
                        decodeAlone(batch.getCodec(), message, records);
                    }
                }
            }
        }
        piece.decode();
        int decoded = records.size();
        Optional<String> need = Optional.ofNullable(awaited)
                .map(column -> "the record at offset " + offsets[decoded] + " carries column " + column
                        + ", which the destination table " + shape.path() + " lacks");
        return new Decoded(
                decoded == most ? offsets : Arrays.copyOf(offsets, decoded),
                records,
                need.isPresent() ? offsets[decoded] : next,
                need);
    }

    private void decodeAlone(int codec, MessageData message, List<StreamRecord> records) {
        if (awaited != null) {
            return;
        }
        byte[] bytes;
        try {
            bytes = Payload.unpack(codec, message.getData());
        } catch (IOException broken) {
            records.add(new Unfit(Position.ZERO, "", "the message cannot be unpacked: " + broken.getMessage()));
            return;
        }
        if (filter.drops(bytes)) {
            records.add(new Filtered(positionOf(decoder.decode(bytes))));
        } else {
            keep(records, withNewestShape(decoder.decode(bytes), bytes, 0, bytes.length));
        }
    }

    private static Position positionOf(StreamRecord record) {
        if (record instanceof Change change) {
            return change.position();
        }
        return record instanceof Unfit unfit ? unfit.position() : Position.ZERO;
    }

    /** Only what comes before the first record that has to wait. */
    private void keep(List<StreamRecord> records, StreamRecord record) {
        if (awaited == null) {
            records.add(record);
        }
    }

    /** What the message is after the destination's shape was read again, if it is about that or does not fit. */
    private StreamRecord withNewestShape(StreamRecord record, byte[] buffer, int from, int to) {
        if (!(record instanceof Unfit || record instanceof SchemaChange)) {
            return record;
        }
        boolean changed = use(patience.lookBeforeUnfit(table, decoder.missingColumn()));
        StreamRecord now = changed ? decoder.decode(buffer, from, to - from) : record;
        awaited = decoder.missingColumn()
                .filter(column -> patience.waitsFor(table, column))
                .orElse(null);
        return now;
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
                if (awaited != null) {
                    break;
                }
                int to = from + message.size();
                StreamRecord record = decoder.decodeNext(buffer, from, to, end);
                keep(records, withNewestShape(record, buffer, from, to));
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
        decoder = new ChangeDecoder(now, feed);
        return true;
    }
}
