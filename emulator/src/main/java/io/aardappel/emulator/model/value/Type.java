package io.aardappel.emulator.model.value;

import java.util.List;

/**
 * A type of YDB. Values are plain Java objects; which class stands for which type is a contract:
 *
 * <ul>
 *   <li>Bool: {@link Boolean}; every integer type: {@link Long} (Uint64 as its 64 bits, compared unsigned)
 *   <li>Float: {@link Float}; Double: {@link Double}
 *   <li>Date, Date32: {@link Long} days; Datetime, Datetime64: {@code Long} seconds; Timestamp, Timestamp64, Interval,
 *       Interval64: {@code Long} microseconds; TzDate, TzDatetime, TzTimestamp: {@link String}
 *   <li>String, Yson: {@link Bytes}; Utf8, Json, JsonDocument: {@link String}; DyNumber: {@link java.math.BigDecimal}
 *   <li>Uuid: {@link Uuid}; Decimal: {@link java.math.BigInteger}, the value times 10^scale, with ±10^35 for the
 *       infinities and 10^35 + 1 for not-a-number
 *   <li>Optional: {@code null}, or the value of the item; where the item is itself optional a present value is wrapped
 *       in {@link Just}
 *   <li>List, Tuple, Struct: {@link java.util.List} (a struct in the order of its members); Dict: {@link java.util.Map}
 *   <li>Void, Null: {@code null}; EmptyList, EmptyDict: an empty list or map
 * </ul>
 */
public sealed interface Type {
    /** The item of {@code Optional<T>}, this type when it is not optional. */
    default Type unwrapped() {
        return this instanceof Optional optional ? optional.item() : this;
    }

    /** This type made optional once; an optional type stays as it is. */
    default Type nullable() {
        return this instanceof Optional ? this : new Optional(this);
    }

    /** The simple types, with YQL's name and the number of {@code Ydb.Type.PrimitiveTypeId}. */
    enum Primitive implements Type {
        BOOL("Bool", 0x0006),
        INT8("Int8", 0x0007),
        UINT8("Uint8", 0x0005),
        INT16("Int16", 0x0008),
        UINT16("Uint16", 0x0009),
        INT32("Int32", 0x0001),
        UINT32("Uint32", 0x0002),
        INT64("Int64", 0x0003),
        UINT64("Uint64", 0x0004),
        FLOAT("Float", 0x0021),
        DOUBLE("Double", 0x0020),
        DATE("Date", 0x0030),
        DATETIME("Datetime", 0x0031),
        TIMESTAMP("Timestamp", 0x0032),
        INTERVAL("Interval", 0x0033),
        TZ_DATE("TzDate", 0x0034),
        TZ_DATETIME("TzDatetime", 0x0035),
        TZ_TIMESTAMP("TzTimestamp", 0x0036),
        DATE32("Date32", 0x0040),
        DATETIME64("Datetime64", 0x0041),
        TIMESTAMP64("Timestamp64", 0x0042),
        INTERVAL64("Interval64", 0x0043),
        STRING("String", 0x1001),
        UTF8("Utf8", 0x1200),
        YSON("Yson", 0x1201),
        JSON("Json", 0x1202),
        UUID("Uuid", 0x1203),
        JSON_DOCUMENT("JsonDocument", 0x1204),
        DYNUMBER("DyNumber", 0x1302);

        private final String yqlName;
        private final int id;

        Primitive(String yqlName, int id) {
            this.yqlName = yqlName;
            this.id = id;
        }

        /** The number of {@code Ydb.Type.PrimitiveTypeId}. */
        public int id() {
            return id;
        }

        @Override
        public String toString() {
            return yqlName;
        }
    }

    /** {@code Decimal(precision, scale)}, precision 1 to 35, scale 0 to precision. */
    record Decimal(int precision, int scale) implements Type {
        @Override
        public String toString() {
            return "Decimal(" + precision + "," + scale + ")";
        }
    }

    record Optional(Type item) implements Type {
        @Override
        public String toString() {
            return "Optional<" + item + ">";
        }
    }

    record ListOf(Type item) implements Type {
        @Override
        public String toString() {
            return "List<" + item + ">";
        }
    }

    record Tuple(List<Type> items) implements Type {
        public Tuple {
            items = List.copyOf(items);
        }
    }

    record Struct(List<Member> members) implements Type {
        public Struct {
            members = List.copyOf(members);
        }

        /** The index of the member of that name, -1 when there is none. */
        public int indexOf(String name) {
            for (int i = 0; i < members.size(); i++) {
                if (members.get(i).name().equals(name)) {
                    return i;
                }
            }
            return -1;
        }
    }

    record Member(String name, Type type) {}

    record Dict(Type key, Type payload) implements Type {}

    /** Types with a single value. */
    enum Unit implements Type {
        VOID,
        NULL,
        EMPTY_LIST,
        EMPTY_DICT
    }
}
