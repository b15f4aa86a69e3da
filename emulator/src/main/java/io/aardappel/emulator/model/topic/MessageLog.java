package io.aardappel.emulator.model.topic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a partition from {@link #start} up to {@link #end}, by consecutive offsets. Kept in chunks of fixed size
 * that are only ever filled, so that a {@link Slice} stays valid without a copy. Guarded by its topic.
 */
final class MessageLog {
    /** Messages in a chunk; also the most that one read hands out. */
    static final int CHUNK = 2_048;

    /** Offset of the first message of the first chunk; a multiple of CHUNK. */
    private long base;

    private long start;
    private long end;
    private long bytes;
    private final List<@Nullable TopicMessage[]> chunks = new ArrayList<>();

    long start() {
        return start;
    }

    long end() {
        return end;
    }

    /** Bytes of data of the messages that are kept. */
    long bytes() {
        return bytes;
    }

    void append(TopicMessage message) {
        int slot = (int) (end % CHUNK);
        if (slot == 0) {
            chunks.add(new TopicMessage[CHUNK]);
        }
        chunks.get(chunks.size() - 1)[slot] = message;
        bytes += message.data().length;
        end++;
    }

    /** Messages from the offset (or the oldest that is left) to the end of their chunk; empty at the end of the log. */
    Slice from(long offset) {
        long first = Math.max(offset, start);
        if (first >= end) {
            return new Slice(first, List.of());
        }
        int slot = (int) (first % CHUNK);
        int limit = (int) Math.min(CHUNK, slot + end - first);
        return new Slice(first, filled(chunk(first), slot, limit));
    }

    /** The first offset whose message was written at or after the time; the end when there is none. */
    long offsetAt(long writtenAtMillis) {
        long low = start;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (at(middle).writtenAtMillis() < writtenAtMillis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    TopicMessage at(long offset) {
        TopicMessage message = chunk(offset)[(int) (offset % CHUNK)];
        if (message == null) {
            throw new IllegalStateException("no message at offset " + offset);
        }
        return message;
    }

    /** Forgets all messages below the offset. */
    void cut(long offset) {
        long newStart = Math.min(Math.max(offset, start), end);
        for (long each = start; each < newStart; each++) {
            bytes -= at(each).data().length;
        }
        start = newStart;
        int gone = (int) (start / CHUNK - base / CHUNK);
        chunks.subList(0, Math.min(gone, chunks.size())).clear();
        base += (long) gone * CHUNK;
    }

    private @Nullable TopicMessage[] chunk(long offset) {
        return chunks.get((int) (offset / CHUNK - base / CHUNK));
    }

    @SuppressWarnings("NullAway") // slots below the end are filled
    private static List<TopicMessage> filled(@Nullable TopicMessage[] chunk, int from, int to) {
        return Arrays.asList(chunk).subList(from, to);
    }
}
