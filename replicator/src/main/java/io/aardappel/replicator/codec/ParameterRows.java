package io.aardappel.replicator.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnsafeByteOperations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;

/**
 * The rows of a list parameter, kept as they travel: the very bytes that {@link Cells#toValue} would become, without an
 * object for every cell, which is most of what a parameter costs. Not thread-safe.
 */
public final class ParameterRows {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    // the wire types of the protocol's encoding
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;

    private static final int TAG = 1;

    // rows are written into pieces as long as what is there already, within these bounds, so that nothing is copied
    private static final int PIECE_MIN = 1 << 10;
    private static final int PIECE_MAX = 64 << 10;

    private final YdbType[] types;

    /** Of the row being added: what a cell's value takes, its tag included. */
    private final int[] sizes;

    /** Of the row being added: texts as UTF-8, by their cells' places. */
    private final byte[][] texts;

    private ByteString filled = ByteString.EMPTY;
    private byte[] piece = {};
    private int at;
    private int size;

    /** @param types of a row's cells */
    public ParameterRows(List<YdbType> types) {
        this.types = types.toArray(new YdbType[0]);
        this.sizes = new int[types.size()];
        this.texts = new byte[types.size()][];
    }

    /** How long all rows are together. */
    public int size() {
        return size;
    }

    /**
     * Adds a row unless that made the list longer than it may be; the first row is always added.
     *
     * @param row a cell for each type, as {@link Cells} says
     * @return whether it was added
     * @throws ClassCastException when a cell is not of the class that stands for its type
     * @throws IllegalArgumentException when a type is not convertible
     */
    public boolean add(@Nullable Object[] row, int sizeMax) {
        int rowSize = 0;
        for (int i = 0; i < types.length; i++) {
            sizes[i] = measure(i, row[i]);
            rowSize += itemSize(sizes[i]);
        }
        int itemSize = itemSize(rowSize);
        if (size > 0 && (long) size + itemSize > sizeMax) {
            return false;
        }
        makeRoom(itemSize);
        beginItem(rowSize);
        for (int i = 0; i < types.length; i++) {
            beginItem(sizes[i]);
            write(i, row[i]);
        }
        size += itemSize;
        return true;
    }

    private int measure(int place, @Nullable Object cell) {
        if (cell == null) {
            return TAG + 1;
        }
        return switch (types[place].kind()) {
            case BOOL -> TAG + 1;
            case INT8, INT16, INT32, UINT8, UINT16, UINT32, DATE, DATETIME, DATE32, FLOAT -> TAG + Integer.BYTES;
            case INT64, UINT64, TIMESTAMP, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64, DOUBLE -> TAG + Long.BYTES;
            case STRING, YSON, JSON, JSON_DOCUMENT -> itemSize(((ByteString) cell).size());
            case UTF8, DYNUMBER -> {
                texts[place] = ((String) cell).getBytes(StandardCharsets.UTF_8);
                yield itemSize(texts[place].length);
            }
            case DECIMAL -> size128(((Int128) cell).high());
            case UUID -> size128(Cells.highHalf((UUID) cell));
            case PG, OTHER -> throw new IllegalArgumentException("no value converts to " + types[place]);
        };
    }

    private void write(int place, @Nullable Object cell) {
        if (cell == null) {
            flag(Value.NULL_FLAG_VALUE_FIELD_NUMBER, 0);
            return;
        }
        switch (types[place].kind()) {
            case BOOL -> flag(Value.BOOL_VALUE_FIELD_NUMBER, (Boolean) cell ? 1 : 0);
            case INT8, INT16, INT32, DATE32 -> fixed32(Value.INT32_VALUE_FIELD_NUMBER, (int) (long) (Long) cell);
            case UINT8, UINT16, UINT32, DATE, DATETIME ->
                fixed32(Value.UINT32_VALUE_FIELD_NUMBER, (int) (long) (Long) cell);
            case INT64, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64 ->
                fixed64(Value.INT64_VALUE_FIELD_NUMBER, (Long) cell);
            case UINT64, TIMESTAMP -> fixed64(Value.UINT64_VALUE_FIELD_NUMBER, (Long) cell);
            case FLOAT -> fixed32(Value.FLOAT_VALUE_FIELD_NUMBER, Float.floatToRawIntBits((Float) cell));
            case DOUBLE -> fixed64(Value.DOUBLE_VALUE_FIELD_NUMBER, Double.doubleToRawLongBits((Double) cell));
            case STRING, YSON -> bytes(Value.BYTES_VALUE_FIELD_NUMBER, (ByteString) cell);
            case JSON, JSON_DOCUMENT -> bytes(Value.TEXT_VALUE_FIELD_NUMBER, (ByteString) cell);
            case UTF8, DYNUMBER -> bytes(Value.TEXT_VALUE_FIELD_NUMBER, texts[place]);
            case DECIMAL -> fixed128(((Int128) cell).low(), ((Int128) cell).high());
            case UUID -> fixed128(Cells.lowHalf((UUID) cell), Cells.highHalf((UUID) cell));
            case PG, OTHER -> throw new IllegalArgumentException("no value converts to " + types[place]);
        }
    }

    // ---- sizes

    /** Tag, length and content. */
    private static int itemSize(int content) {
        return TAG + varintSize(content) + content;
    }

    private static int varintSize(int value) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
    }

    /** The lower half is one of the kinds of a value and always written, the higher one only when it is not zero. */
    private static int size128(long high) {
        int low = TAG + Long.BYTES;
        return high == 0 ? low : low + 2 * TAG + Long.BYTES;
    }

    // ---- bytes

    private void makeRoom(int more) {
        if (more > piece.length - at) {
            filled = all();
            piece = new byte[Math.max(more, Math.min(PIECE_MAX, Math.max(PIECE_MIN, size)))];
            at = 0;
        }
    }

    private ByteString all() {
        return filled.concat(UnsafeByteOperations.unsafeWrap(piece, 0, at));
    }

    private void beginItem(int content) {
        tag(Value.ITEMS_FIELD_NUMBER, LENGTH_DELIMITED);
        varint(content);
    }

    private void tag(int field, int wireType) {
        varint((field << 3) | wireType);
    }

    private void varint(int value) {
        int left = value;
        while (left >= 0x80) {
            piece[at++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        piece[at++] = (byte) left;
    }

    private void flag(int field, int value) {
        tag(field, VARINT);
        piece[at++] = (byte) value;
    }

    private void fixed32(int field, int bits) {
        tag(field, FIXED32);
        INT.set(piece, at, bits);
        at += Integer.BYTES;
    }

    private void fixed64(int field, long bits) {
        tag(field, FIXED64);
        LONG.set(piece, at, bits);
        at += Long.BYTES;
    }

    private void fixed128(long low, long high) {
        fixed64(Value.LOW_128_FIELD_NUMBER, low);
        if (high != 0) {
            fixed64(Value.HIGH_128_FIELD_NUMBER, high);
        }
    }

    private void bytes(int field, byte[] content) {
        tag(field, LENGTH_DELIMITED);
        varint(content.length);
        System.arraycopy(content, 0, piece, at, content.length);
        at += content.length;
    }

    private void bytes(int field, ByteString content) {
        tag(field, LENGTH_DELIMITED);
        varint(content.size());
        content.copyTo(piece, at);
        at += content.size();
    }

    /**
     * The list as a parameter; no row may be added afterwards. Its value is a field that the parameter carries without looking
     * into it: it is sent like any other, but {@link TypedValue#getValue} of this object is empty.
     *
     * @param type of the list
     */
    public TypedValue parameter(Type type) {
        UnknownFieldSet.Field value =
                UnknownFieldSet.Field.newBuilder().addLengthDelimited(all()).build();
        return TypedValue.newBuilder()
                .setType(type)
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(TypedValue.VALUE_FIELD_NUMBER, value)
                        .build())
                .build();
    }
}
