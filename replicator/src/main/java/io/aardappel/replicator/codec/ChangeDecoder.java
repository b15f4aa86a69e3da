package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.StreamRecord;
import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRecord.SchemaChange;
import io.aardappel.replicator.core.StreamRecord.Unfit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns the messages of one stream's changefeed (format JSON) into records for one destination table. Whatever the bytes
 * are, the answer is a record: what cannot become a change is {@link Unfit}. Members may come in any order; unknown ones
 * are passed over. Not thread-safe; cheap enough to have one for each partition.
 */
public final class ChangeDecoder {
    /** Jackson takes four bytes to guess an encoding; the feed is UTF-8 and no guess is wanted. */
    private static final int GUESSED_BYTES = 4;

    private static final JsonFactory JSON = MessageJson.factory();

    private static final byte[] NO_MESSAGE = {};
    private static final TableChanges NO_CHANGES = new TableChanges(-1, Map.of());

    private final TableShape shape;
    private final FeedImages images;
    private final SourceColumns source;
    private final ColumnReader columns;
    private final int[] keyOrdinals;
    private final Key.Spelling spelling;
    private final boolean hasOnlyTheKey;

    private int seen;
    private @Nullable Position ts;
    private @Nullable Position resolved;
    private @Nullable Key key;
    private Columns written = Columns.NONE;
    private Columns image = Columns.NONE;
    private int passedOver;
    private TableChanges changes = NO_CHANGES;
    private byte[] message = NO_MESSAGE;
    /** Where in the bytes the parser began. */
    private int start;

    private int end;

    /** Reads one message after the other of a buffer. */
    private @Nullable JsonParser shared;

    private byte[] sharedBuffer = NO_MESSAGE;
    /** Where in the buffer it began, and where the message ended that it read last. */
    private int sharedFrom;

    private int sharedAt;

    /** A decoder that knows nothing of the source table. */
    public ChangeDecoder(TableShape shape, FeedImages images) {
        this(shape, SourceFeed.of(images));
    }

    /** @param feed its columns learn what schema changes tell */
    public ChangeDecoder(TableShape shape, SourceFeed feed) {
        this.shape = shape;
        this.images = feed.images();
        this.source = feed.columns();
        this.columns = new ColumnReader(shape, source);
        this.keyOrdinals =
                shape.keyOrdinals().stream().mapToInt(Integer::intValue).toArray();
        this.spelling = RecordJson.spelling(shape);
        this.hasOnlyTheKey = shape.columns().size() == keyOrdinals.length;
    }

    public StreamRecord decode(byte[] message) {
        return decode(message, 0, message.length);
    }

    /** Decodes one message; the bytes are not kept. */
    public StreamRecord decode(byte[] buffer, int offset, int length) {
        int last = offset + length;
        int first = firstOf(buffer, offset, last);
        begin(buffer, first, last);
        if (!looksLikeObject(buffer, first, last)) {
            return new Unfit(Position.ZERO, "", "the message is not a JSON object: is the feed's format JSON?");
        }
        String misfit;
        try (JsonParser json = JSON.createParser(buffer, first, last - first)) {
            json.nextToken();
            misfit = readMembers(json);
            if (misfit == null && json.nextToken() != null) {
                misfit = "the message goes on after its JSON object";
            }
        } catch (IOException malformed) {
            misfit = MessageJson.describe(malformed);
        }
        StreamRecord record = misfit == null ? record(length) : unfit(misfit);
        message = NO_MESSAGE;
        return record;
    }

    /**
     * Decodes one of several messages that lie one behind the other, as {@link #decode} would decode it alone. One parser
     * reads all that are in order: to make one for each costs a fifth of reading them, and leaves twice their size behind.
     *
     * @param from where the message begins
     * @param to where it ends
     * @param last where the last message ends
     */
    public StreamRecord decodeNext(byte[] buffer, int from, int to, int last) {
        StreamRecord record = decodeInOrder(buffer, from, to, last);
        if (record == null || to == last) {
            endShared();
        }
        return record == null ? decode(buffer, from, to - from) : record;
    }

    /** Null when the message has to be looked at alone, because it is not whole, not JSON or does not fit. */
    private @Nullable StreamRecord decodeInOrder(byte[] buffer, int from, int to, int last) {
        try {
            JsonParser json = shared;
            if (json == null || sharedBuffer != buffer || sharedAt != from) {
                endShared();
                json = JSON.createParser(buffer, from, last - from);
                shared = json;
                sharedBuffer = buffer;
                sharedFrom = from;
            }
            begin(buffer, sharedFrom, to);
            boolean inOrder = json.nextToken() == JsonToken.START_OBJECT
                    && readMembers(json) == null
                    && sharedFrom + json.currentLocation().getByteOffset() == to;
            sharedAt = to;
            StreamRecord record = inOrder ? record(to - from) : null;
            return record instanceof Unfit ? null : record;
        } catch (IOException malformed) {
            return null;
        } finally {
            message = NO_MESSAGE;
        }
    }

    /** The column for which the last record was unfit, because the destination table lacks it; absent otherwise. */
    public Optional<String> missingColumn() {
        return Optional.ofNullable(columns.missing());
    }

    private void endShared() {
        JsonParser ended = shared;
        shared = null;
        sharedBuffer = NO_MESSAGE;
        if (ended != null) {
            try {
                ended.close();
            } catch (IOException impossible) {
                throw new UncheckedIOException("a parser of bytes has nothing to close", impossible);
            }
        }
    }

    private void begin(byte[] buffer, int first, int last) {
        message = buffer;
        start = first;
        end = last;
        seen = 0;
        passedOver = 0;
        changes = NO_CHANGES;
        ts = null;
        resolved = null;
        key = null;
        written = Columns.NONE;
        image = Columns.NONE;
        columns.begin();
    }

    private static int firstOf(byte[] buffer, int offset, int end) {
        int first = offset;
        while (first < end && buffer[first] <= ' ' && buffer[first] > 0) {
            first++;
        }
        return first;
    }

    private static boolean looksLikeObject(byte[] buffer, int first, int end) {
        if (first == end || buffer[first] != '{') {
            return false;
        }
        for (int i = first; i < Math.min(end, first + GUESSED_BYTES); i++) {
            if (buffer[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads to the end of the object, or up to the first thing that does not fit, which it returns in words. */
    private @Nullable String readMembers(JsonParser json) throws IOException {
        String name = json.nextFieldName();
        while (name != null) {
            json.nextToken();
            Member member = Member.of(name);
            if (member == null) {
                json.skipChildren();
            } else {
                if ((seen & member.bit) != 0) {
                    return "member `" + name + "` comes twice";
                }
                seen |= member.bit;
                String misfit = read(json, member);
                if (misfit != null) {
                    return misfit;
                }
            }
            name = json.nextFieldName();
        }
        return json.currentToken() == JsonToken.END_OBJECT ? null : "the message ends inside its JSON object";
    }

    private @Nullable String read(JsonParser json, Member member) throws IOException {
        return switch (member) {
            case KEY -> readKey(json);
            case UPDATE, RESET -> {
                String misfit = columns.read(json, message, start);
                written = columns.columns();
                yield misfit;
            }
            case NEW_IMAGE -> readImage(json);
            case ERASE -> {
                json.skipChildren();
                yield null;
            }
            case TABLE_CHANGES -> {
                changes = TableChanges.read(json);
                yield null;
            }
            case OLD_IMAGE -> {
                passOver(json);
                yield null;
            }
            case TS -> {
                ts = position(json);
                yield ts == null ? "`ts` is not a pair of unsigned 64-bit integers" : null;
            }
            case RESOLVED -> {
                resolved = position(json);
                yield resolved == null ? "`resolved` is not a pair of unsigned 64-bit integers" : null;
            }
        };
    }

    /** A table with key columns only has nothing to show in its image, which the server then writes as null. */
    private @Nullable String readImage(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        String misfit = columns.read(json, message, start);
        image = columns.columns();
        return misfit;
    }

    private void passOver(JsonParser json) throws IOException {
        long from = json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        passedOver = (int) (json.currentLocation().getByteOffset() - from);
    }

    private @Nullable String readKey(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return "`key` is not an array";
        }
        @Nullable Object[] parts = new @Nullable Object[keyOrdinals.length];
        int size = 0;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token == null || size == parts.length) {
                return arity();
            }
            TableShape.Column column = shape.column(keyOrdinals[size]);
            Object cell = CellReader.read(json, column, message, start);
            if (cell instanceof Misfit misfit) {
                return ColumnReader.describe("key column", column, "", token, misfit);
            }
            parts[size++] = cell;
        }
        if (size != parts.length) {
            return arity();
        }
        key = Key.spelled(spelling, parts);
        return null;
    }

    private String arity() {
        return "`key` does not have the " + keyOrdinals.length + " key columns of " + shape.path();
    }

    private static @Nullable Position position(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return null;
        }
        json.nextToken();
        Object step = CellReader.unsigned(json);
        json.nextToken();
        Object txId = CellReader.unsigned(json);
        boolean pair = json.nextToken() == JsonToken.END_ARRAY;
        return pair && step instanceof Long first && txId instanceof Long second ? new Position(first, second) : null;
    }

    private StreamRecord record(int length) {
        int kinds = seen & Member.KINDS;
        if (kinds == Member.RESOLVED.bit && resolved != null) {
            return new Barrier(resolved);
        }
        if (kinds == 0) {
            return unfit("the record says neither update, reset, erase nor resolved: is the feed's format JSON?");
        }
        if (Integer.bitCount(kinds) > 1) {
            return unfit("the record is of several kinds at once: " + Member.names(kinds));
        }
        if (ts == null) {
            return unfit("the record has no `ts`: the feed needs VIRTUAL_TIMESTAMPS = TRUE");
        }
        if (kinds == Member.TABLE_CHANGES.bit) {
            return schemaChange(ts);
        }
        if (key == null) {
            return unfit("the record has no `key`");
        }
        return change(kinds, ts, key, length);
    }

    private SchemaChange schemaChange(Position at) {
        source.learn(changes.columns());
        Map<String, String> lacking = new LinkedHashMap<>(changes.columns());
        lacking.keySet().removeIf(name -> shape.ordinal(name) >= 0);
        return new SchemaChange(at, changes.version(), lacking);
    }

    private StreamRecord change(int kind, Position at, Key row, int length) {
        if (kind == Member.ERASE.bit) {
            return change(at, Operation.ERASE, row, Columns.NONE, length);
        }
        if (has(Member.NEW_IMAGE)) {
            return written.ordinals().length == 0
                    ? change(at, Operation.REPLACE, row, image, length)
                    : unfit("the record has written columns and `newImage` at once");
        }
        String lack = hasOnlyTheKey ? null : lackOfValues();
        if (lack != null) {
            return unfit(lack);
        }
        Operation operation = kind == Member.RESET.bit ? Operation.REPLACE : Operation.UPDATE;
        return change(at, operation, row, written, length);
    }

    /** What a record without {@code newImage} lacks for saying what the row is now, null when it says it. */
    private @Nullable String lackOfValues() {
        if (has(Member.OLD_IMAGE)) {
            return "the record has `oldImage` and no `newImage`: feeds of mode OLD_IMAGE carry no new values";
        }
        if (images == FeedImages.NEW_IMAGE) {
            return "the record has no `newImage`: the feed's mode must be NEW_IMAGE or NEW_AND_OLD_IMAGES";
        }
        boolean bare = written.ordinals().length == 0;
        return bare && images == FeedImages.UNCHECKED
                ? "the record carries no column, as feeds of mode KEYS_ONLY write it, and the feed's mode could not be"
                        + " checked: grant the right to describe the source table (ydb.granular.describe_schema) and start"
                        + " again"
                : null;
    }

    private Change change(Position at, Operation operation, Key row, Columns carried, int length) {
        int cells = row.size() + carried.ordinals().length;
        return new Change(at, operation, row, carried, MemoryCost.of(cells, length - passedOver));
    }

    private boolean has(Member member) {
        return (seen & member.bit) != 0;
    }

    /** Off the fast path: looks through the message once more for what tells people which record it is. */
    private Unfit unfit(String reason) {
        Identity identity = Identity.of(JSON, message, start, end);
        return new Unfit(identity.position(), identity.key(), reason, identity.wording());
    }

    /** The members that mean something. */
    private enum Member {
        KEY(0x1),
        TS(0x2),
        UPDATE(0x4),
        RESET(0x8),
        ERASE(0x10),
        NEW_IMAGE(0x20),
        OLD_IMAGE(0x40),
        RESOLVED(0x80),
        TABLE_CHANGES(0x100);

        /** A record has exactly one of these. */
        static final int KINDS = UPDATE.bit | RESET.bit | ERASE.bit | RESOLVED.bit | TABLE_CHANGES.bit;

        final int bit;

        Member(int bit) {
            this.bit = bit;
        }

        static @Nullable Member of(String name) {
            return switch (name) {
                case "key" -> KEY;
                case "ts" -> TS;
                case "update" -> UPDATE;
                case "reset" -> RESET;
                case "erase" -> ERASE;
                case "newImage" -> NEW_IMAGE;
                case "oldImage" -> OLD_IMAGE;
                case "resolved" -> RESOLVED;
                case "tableChanges" -> TABLE_CHANGES;
                default -> null;
            };
        }

        static String names(int bits) {
            StringBuilder names = new StringBuilder();
            for (Member member : values()) {
                if ((bits & member.bit) != 0) {
                    names.append(names.isEmpty() ? "" : ", ")
                            .append(member.name().toLowerCase(Locale.ROOT));
                }
            }
            return names.toString();
        }
    }
}
