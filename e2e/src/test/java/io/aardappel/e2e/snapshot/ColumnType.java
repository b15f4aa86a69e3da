package io.aardappel.e2e.snapshot;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import tech.ydb.proto.ValueProtos;
import tech.ydb.table.values.DecimalType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.Type;
import tech.ydb.table.values.Value;

/** Every type that a column of a row table may have, with random values of it that favour the edges of its range. */
enum ColumnType {
    BOOL(true, "Bool", PrimitiveType.Bool, r -> PrimitiveValue.newBool(r.nextBoolean())),
    INT8(true, "Int8", PrimitiveType.Int8, r -> PrimitiveValue.newInt8((byte) edge(r, Byte.MIN_VALUE, Byte.MAX_VALUE))),
    INT16(
            true,
            "Int16",
            PrimitiveType.Int16,
            r -> PrimitiveValue.newInt16((short) edge(r, Short.MIN_VALUE, Short.MAX_VALUE))),
    INT32(
            true,
            "Int32",
            PrimitiveType.Int32,
            r -> PrimitiveValue.newInt32((int) edge(r, Integer.MIN_VALUE, Integer.MAX_VALUE))),
    INT64(true, "Int64", PrimitiveType.Int64, r -> PrimitiveValue.newInt64(edge(r, Long.MIN_VALUE, Long.MAX_VALUE))),
    UINT8(true, "Uint8", PrimitiveType.Uint8, r -> PrimitiveValue.newUint8((int) edge(r, 0, 255))),
    UINT16(true, "Uint16", PrimitiveType.Uint16, r -> PrimitiveValue.newUint16((int) edge(r, 0, 65_535))),
    UINT32(true, "Uint32", PrimitiveType.Uint32, r -> PrimitiveValue.newUint32(edge(r, 0, 4_294_967_295L))),
    UINT64(
            true,
            "Uint64",
            PrimitiveType.Uint64,
            r -> PrimitiveValue.newUint64(oneOf(r, 0L, -1L, 1L << 63, r.nextLong()))),
    FLOAT(
            false,
            "Float",
            PrimitiveType.Float,
            r -> PrimitiveValue.newFloat(
                    oneOf(r, 0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, r.nextFloat() * 1e6f))),
    DOUBLE(
            false,
            "Double",
            PrimitiveType.Double,
            r -> PrimitiveValue.newDouble(
                    oneOf(r, 0d, -0d, Double.NaN, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, r.nextGaussian() * 1e9))),
    DATE(true, "Date", PrimitiveType.Date, r -> PrimitiveValue.newDate(edge(r, 0, 49_672))),
    DATETIME(true, "Datetime", PrimitiveType.Datetime, r -> PrimitiveValue.newDatetime(edge(r, 0, 4_291_747_199L))),
    TIMESTAMP(
            true,
            "Timestamp",
            PrimitiveType.Timestamp,
            r -> PrimitiveValue.newTimestamp(edge(r, 0, 4_291_747_199_999_999L))),
    INTERVAL(
            true,
            "Interval",
            PrimitiveType.Interval,
            r -> PrimitiveValue.newInterval(edge(r, -4_291_747_199_999_999L, 4_291_747_199_999_999L))),
    DATE32(true, "Date32", PrimitiveType.Date32, r -> PrimitiveValue.newDate32(edge(r, -100_000, 100_000))),
    DATETIME64(
            true,
            "Datetime64",
            PrimitiveType.Datetime64,
            r -> PrimitiveValue.newDatetime64(edge(r, -9_000_000_000L, 9_000_000_000L))),
    TIMESTAMP64(
            true,
            "Timestamp64",
            PrimitiveType.Timestamp64,
            r -> PrimitiveValue.newTimestamp64(edge(r, -9_000_000_000_000_000L, 9_000_000_000_000_000L))),
    INTERVAL64(
            true,
            "Interval64",
            PrimitiveType.Interval64,
            r -> PrimitiveValue.newInterval64(edge(r, -9_000_000_000_000_000L, 9_000_000_000_000_000L))),
    STRING(true, "String", PrimitiveType.Bytes, r -> PrimitiveValue.newBytes(bytes(r))),
    UTF8(true, "Utf8", PrimitiveType.Text, r -> PrimitiveValue.newText(text(r))),
    JSON(false, "Json", PrimitiveType.Json, r -> PrimitiveValue.newJson(json(r))),
    JSON_DOCUMENT(false, "JsonDocument", PrimitiveType.JsonDocument, r -> PrimitiveValue.newJsonDocument(json(r))),
    YSON(false, "Yson", PrimitiveType.Yson, r -> PrimitiveValue.newYson(yson(r).getBytes(StandardCharsets.UTF_8))),
    UUID_TYPE(true, "Uuid", PrimitiveType.Uuid, r -> PrimitiveValue.newUuid(new UUID(r.nextLong(), r.nextLong()))),
    DYNUMBER(
            true,
            "DyNumber",
            PrimitiveType.DyNumber,
            r -> new ProtoValue(
                    PrimitiveType.DyNumber,
                    ValueProtos.Value.newBuilder()
                            .setTextValue(oneOf(r, "0", ".125e2", "-.5", ".1e101", ".123456789e9"))
                            .build())),
    DECIMAL(
            true,
            "Decimal(22,9)",
            DecimalType.of(22, 9),
            r -> DecimalType.of(22, 9)
                    .newValue(new BigDecimal(new BigInteger(60, r), 9)
                            .multiply(BigDecimal.valueOf(r.nextBoolean() ? 1 : -1)))),
    DECIMAL_WIDE(
            true,
            "Decimal(35,0)",
            DecimalType.of(35, 0),
            r -> DecimalType.of(35, 0).newValue(new BigDecimal(new BigInteger(100, r))));

    private final boolean key;
    private final String yql;
    private final Type type;
    private final Function<Random, Value<?>> values;

    ColumnType(boolean key, String yql, Type type, Function<Random, Value<?>> values) {
        this.key = key;
        this.yql = yql;
        this.type = type;
        this.values = values;
    }

    boolean mayBeKey() {
        return key;
    }

    String yql() {
        return yql;
    }

    Type type() {
        return type;
    }

    /** A random value, never null. */
    ValueProtos.Value random(Random random) {
        return values.apply(random).toPb();
    }

    static List<ColumnType> all() {
        return List.of(values());
    }

    private static long edge(Random random, long min, long max) {
        return switch (random.nextInt(6)) {
            case 0 -> min;
            case 1 -> max;
            case 2 -> Math.max(min, 0);
            default -> min + (long) (random.nextDouble() * ((double) max - (double) min));
        };
    }

    @SafeVarargs
    private static <T> T oneOf(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }

    private static byte[] bytes(Random random) {
        byte[] value = new byte[oneOf(random, 0, 1, 7, 40)];
        random.nextBytes(value);
        return value;
    }

    private static String text(Random random) {
        return oneOf(random, "", "\"quoted\\ \n\t", "žluťoučký 馬鈴薯 🥔", "<a href='x'>&", "plain")
                + random.nextInt(1_000);
    }

    private static String json(Random random) {
        return oneOf(
                random,
                "{}",
                "[1,2.5,\"x\",null,true]",
                "{\"big\":9223372036854775807,\"deep\":{\"a\":[{\"b\":" + random.nextInt() + "}]}}",
                "{\"text\":\"" + "\\u0041\\n" + random.nextInt(100) + "\"}");
    }

    private static String yson(Random random) {
        return oneOf(
                random,
                "{}",
                "{a=1;b=[2;%true;\"c\"]}",
                "[" + random.nextInt() + ";#]",
                "\"text" + random.nextInt(9) + "\"");
    }
}
