package io.aardappel.replicator.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.Value;

/**
 * What stands for a column's value between the topic and the transaction, and how it becomes a parameter. NULL is null.
 * Cells of one type are equal exactly when the destination takes them for the same key value, hence texts that the
 * server would normalise (DyNumber, Decimal, Uuid) are normalised when they are decoded.
 *
 * <table>
 * <caption>Cell classes</caption>
 * <tr><th>type</th><th>cell</th></tr>
 * <tr><td>Bool</td><td>{@link Boolean}</td></tr>
 * <tr><td>Int*, Uint*</td><td>{@link Long}; a Uint64 by its 64 bits</td></tr>
 * <tr><td>Date, Datetime, Timestamp, Interval and their wide forms</td><td>{@link Long} in days, seconds or
 * microseconds, as the protocol counts them</td></tr>
 * <tr><td>Float, Double</td><td>{@link Float}, {@link Double}</td></tr>
 * <tr><td>Decimal</td><td>{@link Int128}: the value times 10^scale, or one of the special values</td></tr>
 * <tr><td>String, Yson, Json, JsonDocument</td><td>{@link ByteString}; the latter three as text in UTF-8</td></tr>
 * <tr><td>Utf8, DyNumber</td><td>{@link String}</td></tr>
 * <tr><td>Uuid</td><td>{@link UUID}</td></tr>
 * </table>
 */
public final class Cells {
    /** NULL, for a parameter whose type is optional. */
    public static final Value NULL =
            Value.newBuilder().setNullFlagValue(NullValue.NULL_VALUE).build();

    private Cells() {}

    /**
     * The cell as a value of a parameter; whether the parameter's type is optional makes no difference.
     *
     * @throws ClassCastException when the cell is not of the class that stands for the type
     * @throws IllegalArgumentException when the type is not convertible
     */
    public static Value toValue(YdbType type, @Nullable Object cell) {
        if (cell == null) {
            return NULL;
        }
        Value.Builder value = Value.newBuilder();
        switch (type.kind()) {
            case BOOL -> value.setBoolValue((Boolean) cell);
            case INT8, INT16, INT32, DATE32 -> value.setInt32Value((int) (long) (Long) cell);
            case UINT8, UINT16, UINT32, DATE, DATETIME -> value.setUint32Value((int) (long) (Long) cell);
            case INT64, INTERVAL, DATETIME64, TIMESTAMP64, INTERVAL64 -> value.setInt64Value((Long) cell);
            case UINT64, TIMESTAMP -> value.setUint64Value((Long) cell);
            case FLOAT -> value.setFloatValue((Float) cell);
            case DOUBLE -> value.setDoubleValue((Double) cell);
            case STRING, YSON -> value.setBytesValue((ByteString) cell);
            case UTF8, DYNUMBER -> value.setTextValue((String) cell);
            case JSON, JSON_DOCUMENT -> value.setTextValueBytes((ByteString) cell);
            case DECIMAL -> {
                Int128 decimal = (Int128) cell;
                value.setLow128(decimal.low()).setHigh128(decimal.high());
            }
            case UUID -> {
                UUID uuid = (UUID) cell;
                value.setLow128(lowHalf(uuid)).setHigh128(highHalf(uuid));
            }
            case PG, OTHER -> throw new IllegalArgumentException("no value converts to " + type);
        }
        return value.build();
    }

    /** A row's parameter carries time_low, time_mid and time_hi each little-endian, as a GUID does. */
    static long lowHalf(UUID uuid) {
        long bits = uuid.getMostSignificantBits();
        long timeLow = bits >>> 32;
        long timeMid = bits >>> 16 & 0xffff;
        long timeHigh = bits & 0xffff;
        return timeLow | timeMid << 32 | timeHigh << 48;
    }

    static long highHalf(UUID uuid) {
        return Long.reverseBytes(uuid.getLeastSignificantBits());
    }
}
