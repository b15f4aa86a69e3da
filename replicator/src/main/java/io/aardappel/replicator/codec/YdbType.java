package io.aardappel.replicator.codec;

import tech.ydb.proto.ValueProtos.DecimalType;
import tech.ydb.proto.ValueProtos.PgType;
import tech.ydb.proto.ValueProtos.Type;

/**
 * The type of a destination column without its nullability. Every type that YDB knows has one, so that a shape can
 * always be made; those that no changefeed value converts to ({@link Kind#convertible} false) are refused when a value
 * for them comes. Equality is equality of types.
 *
 * @param precision of a Decimal, else 0
 * @param scale of a Decimal, else 0
 * @param proto the type as the protocol spells it, never optional
 */
public record YdbType(Kind kind, int precision, int scale, Type proto) {

    /** What a type is apart from its parameters; the name is YQL's. */
    public enum Kind {
        BOOL("Bool"),
        INT8("Int8"),
        UINT8("Uint8"),
        INT16("Int16"),
        UINT16("Uint16"),
        INT32("Int32"),
        UINT32("Uint32"),
        INT64("Int64"),
        UINT64("Uint64"),
        FLOAT("Float"),
        DOUBLE("Double"),
        DATE("Date"),
        DATETIME("Datetime"),
        TIMESTAMP("Timestamp"),
        INTERVAL("Interval"),
        DATE32("Date32"),
        DATETIME64("Datetime64"),
        TIMESTAMP64("Timestamp64"),
        INTERVAL64("Interval64"),
        STRING("String"),
        UTF8("Utf8"),
        YSON("Yson"),
        JSON("Json"),
        JSON_DOCUMENT("JsonDocument"),
        UUID("Uuid"),
        DYNUMBER("DyNumber"),
        DECIMAL("Decimal"),
        PG("pg"),
        OTHER("other");

        private final String yql;

        Kind(String yql) {
            this.yql = yql;
        }

        /** Whether values of a changefeed can become values of this type. */
        public boolean convertible() {
            return this != PG && this != OTHER;
        }
    }

    /** The type as the server describes it; an optional's inner type. */
    public static YdbType of(Type described) {
        Type type = described.hasOptionalType() ? described.getOptionalType().getItem() : described;
        return switch (type.getTypeCase()) {
            case TYPE_ID -> new YdbType(primitive(type), 0, 0, type);
            case DECIMAL_TYPE ->
                new YdbType(
                        Kind.DECIMAL,
                        type.getDecimalType().getPrecision(),
                        type.getDecimalType().getScale(),
                        type);
            case PG_TYPE -> new YdbType(Kind.PG, 0, 0, type);
            default -> new YdbType(Kind.OTHER, 0, 0, type);
        };
    }

    /** A primitive type by its number in the protocol. */
    public static YdbType of(Type.PrimitiveTypeId id) {
        return of(Type.newBuilder().setTypeId(id).build());
    }

    public static YdbType decimal(int precision, int scale) {
        return of(Type.newBuilder()
                .setDecimalType(DecimalType.newBuilder().setPrecision(precision).setScale(scale))
                .build());
    }

    private static Kind primitive(Type type) {
        return switch (type.getTypeId()) {
            case BOOL -> Kind.BOOL;
            case INT8 -> Kind.INT8;
            case UINT8 -> Kind.UINT8;
            case INT16 -> Kind.INT16;
            case UINT16 -> Kind.UINT16;
            case INT32 -> Kind.INT32;
            case UINT32 -> Kind.UINT32;
            case INT64 -> Kind.INT64;
            case UINT64 -> Kind.UINT64;
            case FLOAT -> Kind.FLOAT;
            case DOUBLE -> Kind.DOUBLE;
            case DATE -> Kind.DATE;
            case DATETIME -> Kind.DATETIME;
            case TIMESTAMP -> Kind.TIMESTAMP;
            case INTERVAL -> Kind.INTERVAL;
            case DATE32 -> Kind.DATE32;
            case DATETIME64 -> Kind.DATETIME64;
            case TIMESTAMP64 -> Kind.TIMESTAMP64;
            case INTERVAL64 -> Kind.INTERVAL64;
            case STRING -> Kind.STRING;
            case UTF8 -> Kind.UTF8;
            case YSON -> Kind.YSON;
            case JSON -> Kind.JSON;
            case JSON_DOCUMENT -> Kind.JSON_DOCUMENT;
            case UUID -> Kind.UUID;
            case DYNUMBER -> Kind.DYNUMBER;
            default -> Kind.OTHER;
        };
    }

    /** As YQL spells it. */
    @Override
    public String toString() {
        return switch (kind) {
            case DECIMAL -> "Decimal(" + precision + "," + scale + ")";
            case PG -> pgName(proto.getPgType());
            case OTHER ->
                proto.hasTypeId()
                        ? proto.getTypeId().name()
                        : proto.getTypeCase().name();
            default -> kind.yql;
        };
    }

    private static String pgName(PgType type) {
        return type.getTypeName().isEmpty() ? "pg type " + type.getOid() : type.getTypeName();
    }
}
