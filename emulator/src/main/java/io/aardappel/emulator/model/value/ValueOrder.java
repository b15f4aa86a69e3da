package io.aardappel.emulator.model.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How YDB orders values of one type and keys of several: null first, text by its UTF-8 bytes, Uint64 unsigned. */
public final class ValueOrder {
    /** Stands behind every value of a key part; only in bounds, never in a row. */
    public static final Object TOP = new Object() {
        @Override
        public String toString() {
            return "TOP";
        }
    };

    private ValueOrder() {}

    /** The order of values of a type that can be compared; IllegalArgumentException for Json, Yson, containers. */
    public static Comparator<@Nullable Object> of(Type type) {
        Comparator<Object> present = ofPresent(type.unwrapped());
        return (a, b) -> compareNullable(a, b, present);
    }

    /**
     * The order of keys. Of two keys of which one begins with the other the shorter is less, so that a prefix stands
     * before, and a prefix followed by {@link #TOP} behind, all keys that begin with it.
     */
    public static Comparator<List<@Nullable Object>> ofKeys(List<Type> parts) {
        List<Comparator<@Nullable Object>> orders =
                parts.stream().map(ValueOrder::of).toList();
        Comparator<@Nullable Object> first = orders.get(0);
        return (a, b) -> {
            if (a.size() == 1 && b.size() == 1) {
                return first.compare(a.get(0), b.get(0));
            }
            int common = Math.min(a.size(), b.size());
            for (int i = 0; i < common; i++) {
                int order =
                        i < orders.size() ? orders.get(i).compare(a.get(i), b.get(i)) : compareTop(a.get(i), b.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(a.size(), b.size());
        };
    }

    /** Whether a column of this type may be part of a primary key. */
    public static boolean canBeKey(Type type) {
        if (type instanceof Type.Decimal) {
            return true;
        }
        return type instanceof Type.Primitive primitive
                && switch (primitive) {
                    case FLOAT, DOUBLE, JSON, JSON_DOCUMENT, YSON, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> false;
                    default -> true;
                };
    }

    /** Text by its UTF-8 bytes, that is by code points: surrogates stand above the rest of the basic plane. */
    public static int compareText(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogateX = Character.isSurrogate(x);
                boolean surrogateY = Character.isSurrogate(y);
                return surrogateX == surrogateY ? Character.compare(x, y) : Boolean.compare(surrogateX, surrogateY);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int compareNullable(@Nullable Object a, @Nullable Object b, Comparator<Object> present) {
        if (a == b) {
            return 0;
        }
        if (a == null) {
            return -1;
        }
        if (b == null) {
            return 1;
        }
        if (a == TOP) {
            return 1;
        }
        return b == TOP ? -1 : present.compare(a, b);
    }

    /** Behind the last key part only {@link #TOP} can follow. */
    private static int compareTop(@Nullable Object a, @Nullable Object b) {
        return Boolean.compare(a == TOP, b == TOP);
    }

    private static Comparator<Object> ofPresent(Type type) {
        if (type instanceof Type.Decimal) {
            return (a, b) -> ((BigInteger) a).compareTo((BigInteger) b);
        }
        if (type instanceof Type.Primitive primitive) {
            return ofPrimitive(primitive);
        }
        throw new IllegalArgumentException("values of " + type + " have no order");
    }

    private static Comparator<Object> ofPrimitive(Type.Primitive type) {
        return switch (type) {
            case BOOL -> (a, b) -> Boolean.compare((Boolean) a, (Boolean) b);
            case UINT64 -> (a, b) -> Long.compareUnsigned((Long) a, (Long) b);
            case INT8,
                    UINT8,
                    INT16,
                    UINT16,
                    INT32,
                    UINT32,
                    INT64,
                    DATE,
                    DATETIME,
                    TIMESTAMP,
                    INTERVAL,
                    DATE32,
                    DATETIME64,
                    TIMESTAMP64,
                    INTERVAL64 -> (a, b) -> Long.compare((Long) a, (Long) b);
            case FLOAT -> (a, b) -> Float.compare((Float) a, (Float) b);
            case DOUBLE -> (a, b) -> Double.compare((Double) a, (Double) b);
            case UTF8, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> (a, b) -> compareText((String) a, (String) b);
            case STRING -> (a, b) -> ((Bytes) a).compareTo((Bytes) b);
            case DYNUMBER -> (a, b) -> ((BigDecimal) a).compareTo((BigDecimal) b);
            case UUID -> (a, b) -> ((Uuid) a).compareTo((Uuid) b);
            case JSON, JSON_DOCUMENT, YSON ->
                throw new IllegalArgumentException("values of " + type + " have no order");
        };
    }
}
