package io.aardappel.replicator.codec;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.LongFunction;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.Value;

/**
 * Random values of every column type, each with the text a changefeed has for it and the value the destination must get:
 * a second, naive author of both, who shares nothing with the decoder.
 */
final class RandomFeed {
    /** A value: what the feed says and what must arrive. */
    record Sample(String json, Value expected) {}

    static final List<YdbType> KEY_TYPES = List.of(
            YdbType.of(PrimitiveTypeId.BOOL),
            YdbType.of(PrimitiveTypeId.INT8),
            YdbType.of(PrimitiveTypeId.UINT8),
            YdbType.of(PrimitiveTypeId.INT16),
            YdbType.of(PrimitiveTypeId.UINT16),
            YdbType.of(PrimitiveTypeId.INT32),
            YdbType.of(PrimitiveTypeId.UINT32),
            YdbType.of(PrimitiveTypeId.INT64),
            YdbType.of(PrimitiveTypeId.UINT64),
            YdbType.of(PrimitiveTypeId.DATE),
            YdbType.of(PrimitiveTypeId.DATETIME),
            YdbType.of(PrimitiveTypeId.TIMESTAMP),
            YdbType.of(PrimitiveTypeId.INTERVAL),
            YdbType.of(PrimitiveTypeId.DATE32),
            YdbType.of(PrimitiveTypeId.DATETIME64),
            YdbType.of(PrimitiveTypeId.TIMESTAMP64),
            YdbType.of(PrimitiveTypeId.INTERVAL64),
            YdbType.of(PrimitiveTypeId.STRING),
            YdbType.of(PrimitiveTypeId.UTF8),
            YdbType.of(PrimitiveTypeId.UUID),
            YdbType.of(PrimitiveTypeId.DYNUMBER),
            YdbType.decimal(22, 9),
            YdbType.decimal(35, 0),
            YdbType.decimal(4, 4));
    static final List<YdbType> TYPES = with(
            KEY_TYPES,
            YdbType.of(PrimitiveTypeId.FLOAT),
            YdbType.of(PrimitiveTypeId.DOUBLE),
            YdbType.of(PrimitiveTypeId.JSON),
            YdbType.of(PrimitiveTypeId.JSON_DOCUMENT),
            YdbType.of(PrimitiveTypeId.YSON));

    private static final DateTimeFormatter SIX_DIGITS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final long DAYS = 49_673;
    private static final String[] TEXTS = {
        "", "a", "\"", "\\", "\n\t\u0000", "é", "€", "\ud83d\ude00", "/", "plain words"
    };

    private final Random random;

    RandomFeed(Random random) {
        this.random = random;
    }

    private static List<YdbType> with(List<YdbType> some, YdbType... more) {
        List<YdbType> all = new ArrayList<>(some);
        Collections.addAll(all, more);
        return List.copyOf(all);
    }

    Sample sample(YdbType type) {
        return switch (type.kind()) {
            case BOOL -> {
                boolean value = random.nextBoolean();
                yield new Sample(
                        String.valueOf(value),
                        Value.newBuilder().setBoolValue(value).build());
            }
            case INT8 -> signed32((byte) random.nextInt());
            case INT16 -> signed32((short) random.nextInt());
            case INT32 -> signed32(random.nextInt());
            case DATE32 -> signed32((int) between(-53_375_809, 53_375_807));
            case UINT8 -> unsigned32(random.nextInt() & 0xff);
            case UINT16 -> unsigned32(random.nextInt() & 0xffff);
            case UINT32 -> unsigned32(random.nextInt());
            case INT64 -> signed64(random.nextLong());
            case INTERVAL -> signed64(between(-4_291_747_199_999_999L, 4_291_747_199_999_999L));
            case DATETIME64 -> signed64(between(-4_611_669_897_600L, 4_611_669_811_199L));
            case TIMESTAMP64 -> signed64(between(-4_611_669_897_600_000_000L, 4_611_669_811_199_999_999L));
            case INTERVAL64 -> signed64(random.nextLong() >> 1);
            case UINT64 -> {
                long bits = random.nextLong();
                yield new Sample(
                        Long.toUnsignedString(bits),
                        Value.newBuilder().setUint64Value(bits).build());
            }
            case DATE ->
                utc(
                        86_400_000_000L,
                        days -> Value.newBuilder().setUint32Value((int) days).build());
            case DATETIME ->
                utc(
                        1_000_000L,
                        seconds ->
                                Value.newBuilder().setUint32Value((int) seconds).build());
            case TIMESTAMP ->
                utc(1, micros -> Value.newBuilder().setUint64Value(micros).build());
            case FLOAT -> {
                float value = Float.intBitsToFloat(random.nextInt());
                String json = Float.isNaN(value) || Float.isInfinite(value)
                        ? special(value)
                        : new BigDecimal(value).toString();
                yield new Sample(json, Value.newBuilder().setFloatValue(value).build());
            }
            case DOUBLE -> {
                double value = Double.longBitsToDouble(random.nextLong());
                String json = Double.isNaN(value) || Double.isInfinite(value) ? special(value) : Double.toString(value);
                yield new Sample(json, Value.newBuilder().setDoubleValue(value).build());
            }
            case STRING -> {
                byte[] bytes = new byte[random.nextInt(12)];
                random.nextBytes(bytes);
                yield new Sample(
                        "\"" + Base64.getEncoder().encodeToString(bytes) + "\"",
                        Value.newBuilder()
                                .setBytesValue(ByteString.copyFrom(bytes))
                                .build());
            }
            case UTF8 -> {
                String text = text();
                yield new Sample(
                        quote(text), Value.newBuilder().setTextValue(text).build());
            }
            case UUID -> uuid();
            case DYNUMBER -> dyNumber();
            case DECIMAL -> decimal(type);
            case JSON, JSON_DOCUMENT -> {
                String document = document(3);
                yield new Sample(
                        document, Value.newBuilder().setTextValue(document).build());
            }
            case YSON -> {
                long number = random.nextInt();
                yield new Sample(
                        "{\"k\":[" + number + ",null]}",
                        Value.newBuilder()
                                .setBytesValue(ByteString.copyFromUtf8("{\"k\"=[" + number + ";#;];}"))
                                .build());
            }
            case PG, OTHER -> throw new IllegalArgumentException(type.toString());
        };
    }

    private long between(long low, long high) {
        return random.nextLong(low, high + 1);
    }

    private static Sample signed32(int value) {
        return new Sample(
                Integer.toString(value), Value.newBuilder().setInt32Value(value).build());
    }

    private static Sample unsigned32(int bits) {
        return new Sample(
                Integer.toUnsignedString(bits),
                Value.newBuilder().setUint32Value(bits).build());
    }

    private static Sample signed64(long value) {
        return new Sample(
                Long.toString(value), Value.newBuilder().setInt64Value(value).build());
    }

    private Sample utc(long microsAUnit, LongFunction<Value> value) {
        long units = between(0, DAYS * (86_400_000_000L / microsAUnit) - 1);
        long micros = units * microsAUnit;
        Instant instant = Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
        return new Sample("\"" + SIX_DIGITS.format(instant) + "\"", value.apply(units));
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    }

    private Sample uuid() {
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        byte[] big = new BigInteger(uuid.toString().replace("-", ""), 16)
                .add(BigInteger.ONE.shiftLeft(128))
                .toByteArray();
        // big[1..16] are the bytes as printed; the first three groups travel reversed
        int[] order = {4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16};
        long low = 0;
        long high = 0;
        for (int i = 7; i >= 0; i--) {
            low = (low << 8) | (big[order[i]] & 0xff);
            high = (high << 8) | (big[order[i + 8]] & 0xff);
        }
        return new Sample(
                "\"" + uuid + "\"",
                Value.newBuilder().setLow128(low).setHigh128(high).build());
    }

    private Sample dyNumber() {
        BigInteger digits = new BigInteger(1 + random.nextInt(120), random);
        if (digits.signum() == 0) {
            return new Sample("\"0\"", Value.newBuilder().setTextValue("0").build());
        }
        String text = digits.toString().replaceAll("0+$", "");
        int exponent = random.nextInt(-100, 100);
        String canonical = (random.nextBoolean() ? "-." : ".") + text + (exponent == 0 ? "" : "e" + exponent);
        return new Sample(
                "\"" + canonical + "\"",
                Value.newBuilder().setTextValue(canonical).build());
    }

    private Sample decimal(YdbType type) {
        BigInteger unscaled = new BigInteger(1 + random.nextInt(116), random)
                .mod(BigInteger.TEN.pow(random.nextInt(1, type.precision() + 1)));
        if (random.nextBoolean()) {
            unscaled = unscaled.negate();
        }
        BigDecimal value = new BigDecimal(unscaled, type.scale());
        String text = value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
        return new Sample(
                "\"" + text + "\"",
                Value.newBuilder()
                        .setLow128(unscaled.longValue())
                        .setHigh128(unscaled.shiftRight(64).longValue())
                        .build());
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(TEXTS[random.nextInt(TEXTS.length)]);
        }
        return text.toString();
    }

    /** Escapes what must be and, now and then, what need not. */
    String quote(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || random.nextInt(10) == 0) {
                json.append(String.format("\\u%04x", (int) c));
            } else if (c == '"' || c == '\\' || c == '/') {
                json.append('\\').append(c);
            } else {
                json.append(c);
            }
        }
        return repaired(json.append('"').toString());
    }

    /** Half of a pair may have been escaped; as UTF-8 the other half would be lost. */
    private static String repaired(String json) {
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            boolean withNext = i + 1 < json.length() && Character.isSurrogatePair(c, json.charAt(i + 1));
            boolean withLast = i > 0 && Character.isSurrogatePair(json.charAt(i - 1), c);
            whole.append(
                    Character.isSurrogate(c) && !withNext && !withLast
                            ? String.format("\\u%04x", (int) c)
                            : String.valueOf(c));
        }
        return whole.toString();
    }

    private String document(int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> quote(text());
            case 1 -> Long.toUnsignedString(random.nextLong());
            case 2 -> random.nextInt(100) + "." + random.nextInt(10) + "0e-" + random.nextInt(20);
            case 3 -> random.nextBoolean() ? "true" : "\"null\"";
            case 4, 5 -> "{" + quote(text()) + ":" + document(depth - 1) + "}";
            default -> "[" + document(depth - 1) + "," + document(depth - 1) + "]";
        };
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
