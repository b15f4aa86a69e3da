package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import org.jspecify.annotations.Nullable;

/** Which kind a type is of, and which type two of them have in common. */
public final class Types {
    private Types() {}

    /** Whether a value of the type may be null. */
    public static boolean isNullable(Type type) {
        return type instanceof Type.Optional || type == Type.Unit.NULL;
    }

    public static boolean isInteger(Type type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> true;
                    default -> false;
                };
    }

    public static boolean isSigned(Type type) {
        return type == Primitive.INT8 || type == Primitive.INT16 || type == Primitive.INT32 || type == Primitive.INT64;
    }

    public static boolean isFloating(Type type) {
        return type == Primitive.FLOAT || type == Primitive.DOUBLE;
    }

    public static boolean isNumeric(Type type) {
        return isInteger(type) || isFloating(type);
    }

    /** Bits of an integer type. */
    public static int width(Type type) {
        return switch ((Primitive) type) {
            case INT8, UINT8 -> 8;
            case INT16, UINT16 -> 16;
            case INT32, UINT32 -> 32;
            default -> 64;
        };
    }

    public static boolean isText(Type type) {
        return type == Primitive.STRING || type == Primitive.UTF8;
    }

    /** Date, Datetime, Timestamp and their wide forms. */
    public static boolean isPoint(Type type) {
        return type instanceof Primitive primitive
                && switch (primitive) {
                    case DATE, DATETIME, TIMESTAMP, DATE32, DATETIME64, TIMESTAMP64 -> true;
                    default -> false;
                };
    }

    public static boolean isInterval(Type type) {
        return type == Primitive.INTERVAL || type == Primitive.INTERVAL64;
    }

    public static boolean isWide(Type type) {
        return type == Primitive.DATE32
                || type == Primitive.DATETIME64
                || type == Primitive.TIMESTAMP64
                || type == Primitive.INTERVAL64;
    }

    /** Microseconds in one unit of a point in time. */
    public static long microsPerUnit(Type type) {
        return switch ((Primitive) type) {
            case DATE, DATE32 -> 86_400_000_000L;
            case DATETIME, DATETIME64 -> 1_000_000L;
            default -> 1L;
        };
    }

    /** Names of list, struct, tuple and dict types as messages show them. */
    public static String show(Type type) {
        if (type instanceof Type.Struct struct) {
            return struct.members().stream()
                    .map(member -> "'" + member.name() + "':" + show(member.type()))
                    .collect(java.util.stream.Collectors.joining(",", "Struct<", ">"));
        }
        if (type instanceof Type.Tuple tuple) {
            return tuple.items().stream()
                    .map(Types::show)
                    .collect(java.util.stream.Collectors.joining(",", "Tuple<", ">"));
        }
        if (type instanceof Type.ListOf list) {
            return "List<" + show(list.item()) + ">";
        }
        if (type instanceof Type.Optional optional) {
            return "Optional<" + show(optional.item()) + ">";
        }
        if (type instanceof Type.Dict dict) {
            return "Dict<" + show(dict.key()) + "," + show(dict.payload()) + ">";
        }
        return type == Type.Unit.NULL ? "Null" : type.toString();
    }

    /**
     * The type in which values of both can be compared, chosen from or returned together, null when there is none.
     * Optional as soon as one of them is.
     */
    public static @Nullable Type common(Type a, Type b) {
        if (a.equals(b)) {
            return a;
        }
        if (a == Type.Unit.NULL) {
            return b.nullable();
        }
        if (b == Type.Unit.NULL) {
            return a.nullable();
        }
        if (a instanceof Type.Optional || b instanceof Type.Optional) {
            Type inner = common(a.unwrapped(), b.unwrapped());
            return inner == null ? null : inner.nullable();
        }
        return commonOfPresent(a, b);
    }

    private static @Nullable Type commonOfPresent(Type a, Type b) {
        if (isNumeric(a) && isNumeric(b)) {
            return commonNumber(a, b);
        }
        if (isText(a) && isText(b)) {
            return Primitive.STRING;
        }
        if (isPoint(a) && isPoint(b)) {
            boolean wide = isWide(a) || isWide(b);
            long unit = Math.min(microsPerUnit(a), microsPerUnit(b));
            if (unit == 1) {
                return wide ? Primitive.TIMESTAMP64 : Primitive.TIMESTAMP;
            }
            if (unit == 1_000_000L) {
                return wide ? Primitive.DATETIME64 : Primitive.DATETIME;
            }
            return wide ? Primitive.DATE32 : Primitive.DATE;
        }
        if (isInterval(a) && isInterval(b)) {
            return Primitive.INTERVAL64;
        }
        if (a instanceof Type.Decimal x && isInteger(b)) {
            return decimalFor(x);
        }
        if (b instanceof Type.Decimal y && isInteger(a)) {
            return decimalFor(y);
        }
        if (a instanceof Type.Decimal x && b instanceof Type.Decimal y) {
            int scale = Math.max(x.scale(), y.scale());
            int whole = Math.max(x.precision() - x.scale(), y.precision() - y.scale());
            return whole + scale > 35 ? null : new Type.Decimal(whole + scale, scale);
        }
        return commonContainer(a, b);
    }

    private static @Nullable Type commonContainer(Type a, Type b) {
        if (a == Type.Unit.EMPTY_LIST && b instanceof Type.ListOf) {
            return b;
        }
        if (b == Type.Unit.EMPTY_LIST && a instanceof Type.ListOf) {
            return a;
        }
        if (a instanceof Type.ListOf x && b instanceof Type.ListOf y) {
            Type item = common(x.item(), y.item());
            return item == null ? null : new Type.ListOf(item);
        }
        if (a instanceof Type.Tuple x
                && b instanceof Type.Tuple y
                && x.items().size() == y.items().size()) {
            java.util.List<Type> items = new java.util.ArrayList<>();
            for (int i = 0; i < x.items().size(); i++) {
                Type item = common(x.items().get(i), y.items().get(i));
                if (item == null) {
                    return null;
                }
                items.add(item);
            }
            return new Type.Tuple(items);
        }
        return a instanceof Type.Struct x && b instanceof Type.Struct y ? commonStruct(x, y) : null;
    }

    private static @Nullable Type commonStruct(Type.Struct x, Type.Struct y) {
        if (x.members().size() != y.members().size()) {
            return null;
        }
        java.util.List<Type.Member> members = new java.util.ArrayList<>();
        for (Type.Member member : x.members()) {
            int other = y.indexOf(member.name());
            Type type = other < 0
                    ? null
                    : common(member.type(), y.members().get(other).type());
            if (type == null) {
                return null;
            }
            members.add(new Type.Member(member.name(), type));
        }
        return new Type.Struct(members);
    }

    /** Wide enough for the whole part of any integer; decimals of 35 digits keep their own. */
    private static Type decimalFor(Type.Decimal decimal) {
        return new Type.Decimal(Math.min(35, Math.max(decimal.precision(), decimal.scale() + 20)), decimal.scale());
    }

    /** As YQL: the wider one; of two with the same width the unsigned one; floating wins. */
    private static Type commonNumber(Type a, Type b) {
        if (isFloating(a) || isFloating(b)) {
            return a == Primitive.DOUBLE || b == Primitive.DOUBLE ? Primitive.DOUBLE : Primitive.FLOAT;
        }
        if (width(a) != width(b)) {
            return width(a) > width(b) ? a : b;
        }
        return isSigned(a) ? b : a;
    }
}
