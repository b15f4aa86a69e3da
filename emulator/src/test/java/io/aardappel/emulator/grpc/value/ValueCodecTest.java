package io.aardappel.emulator.grpc.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Just;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.Uuid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.ValueProtos.Value;

@DisplayName("A value of the protocol")
class ValueCodecTest {
    private static final Value NULL =
            Value.newBuilder().setNullFlagValue(NullValue.NULL_VALUE).build();

    private static @Nullable Object decode(Type type, Value.Builder value) {
        return ValueDecoder.of(type).decode(value.build());
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void keepsItsTypeThereAndBack(Primitive type) {
        assertThat(TypeCodec.decode(TypeCodec.encode(type))).isEqualTo(type);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void comesBackAsItWas(int seed) {
        TypedValues values = new TypedValues(new Random(seed));
        Type type = values.type(3);
        Object value = values.value(type);
        Value wire = ValueEncoder.of(type).encode(value);
        assertThat(TypeCodec.decode(TypeCodec.encode(type))).isEqualTo(type);
        assertThat(ValueDecoder.of(type).decode(wire))
                .as("%s of seed %d", type, seed)
                .isEqualTo(value);
    }

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @Nested
    @DisplayName("that is a number")
    class ThatIsANumber {
        static Stream<Arguments> outside() {
            return Stream.of(
                    Arguments.of(Primitive.INT8, Value.newBuilder().setInt32Value(128)),
                    Arguments.of(Primitive.INT16, Value.newBuilder().setInt32Value(-32_769)),
                    Arguments.of(Primitive.UINT8, Value.newBuilder().setUint32Value(256)),
                    Arguments.of(Primitive.UINT16, Value.newBuilder().setUint32Value(65_536)),
                    Arguments.of(Primitive.DATE, Value.newBuilder().setUint32Value(49_673)),
                    Arguments.of(Primitive.DATETIME, Value.newBuilder().setUint32Value((int) 4_291_747_200L)),
                    Arguments.of(Primitive.TIMESTAMP, Value.newBuilder().setUint64Value(4_291_747_200_000_000L)),
                    Arguments.of(Primitive.TIMESTAMP, Value.newBuilder().setUint64Value(-1)),
                    Arguments.of(Primitive.INTERVAL, Value.newBuilder().setInt64Value(Long.MIN_VALUE)),
                    Arguments.of(Primitive.DATE32, Value.newBuilder().setInt32Value(Integer.MAX_VALUE)),
                    Arguments.of(Primitive.DATETIME64, Value.newBuilder().setInt64Value(Long.MAX_VALUE)),
                    Arguments.of(Primitive.TIMESTAMP64, Value.newBuilder().setInt64Value(Long.MIN_VALUE)));
        }

        @ParameterizedTest
        @MethodSource("outside")
        void isRefusedOutsideTheRangeOfItsType(Primitive type, Value.Builder value) {
            assertThatThrownBy(() -> decode(type, value))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining(type.toString());
        }

        @Test
        void keepsAll64BitsOfAUint64() {
            assertThat(decode(Primitive.UINT64, Value.newBuilder().setUint64Value(-1)))
                    .isEqualTo(-1L);
        }

        @Test
        void isUnsignedAsUint32() {
            assertThat(decode(Primitive.UINT32, Value.newBuilder().setUint32Value(-1)))
                    .isEqualTo(4_294_967_295L);
        }

        @Test
        void isRefusedInTheFieldOfAnotherType() {
            assertThatThrownBy(() -> decode(Primitive.INT64, Value.newBuilder().setTextValue("1")))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("a value of type Int64 comes as int64_value, not as text_value");
        }
    }

    @Nested
    @DisplayName("that is a decimal")
    class ThatIsADecimal {
        private static final Type.Decimal TYPE = new Type.Decimal(22, 9);

        @Test
        void isTwosComplementOver128Bits() {
            assertThat(decode(TYPE, Value.newBuilder().setLow128(-5).setHigh128(-1)))
                    .isEqualTo(BigInteger.valueOf(-5));
        }

        @Test
        void mayBeInfinite() {
            BigInteger infinity = BigInteger.TEN.pow(35);
            Value wire = ValueEncoder.of(TYPE).encode(infinity.negate());
            assertThat(ValueDecoder.of(TYPE).decode(wire)).isEqualTo(infinity.negate());
        }

        @Test
        void isRefusedWithMoreDigitsThanItsPrecision() {
            Value wire = ValueEncoder.of(TYPE).encode(BigInteger.TEN.pow(22));
            assertThatThrownBy(() -> ValueDecoder.of(TYPE).decode(wire)).hasMessageContaining("22 digits");
        }
    }

    @Nested
    @DisplayName("that is optional")
    class ThatIsOptional {
        private static final Type NESTED = new Type.Optional(new Type.Optional(Primitive.INT32));

        @Test
        void isNullByAFlag() {
            assertThat(ValueEncoder.of(NESTED).encode(null)).isEqualTo(NULL);
        }

        @Test
        void nestsOnlyAnInnerNull() {
            Value inner = Value.newBuilder().setNestedValue(NULL).build();
            assertThat(ValueEncoder.of(NESTED).encode(new Just(null))).isEqualTo(inner);
        }

        @Test
        void standsInPlaceWhenItIsThere() {
            assertThat(ValueEncoder.of(NESTED).encode(new Just(4L)))
                    .isEqualTo(Value.newBuilder().setInt32Value(4).build());
        }
    }

    @Nested
    @DisplayName("that is text")
    class ThatIsText {
        @Test
        void isRefusedAsJsonWhenItIsNone() {
            assertThatThrownBy(() -> decode(Primitive.JSON, Value.newBuilder().setTextValue("{\"a\":")))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("not a valid Json");
        }

        @Test
        void isRefusedAsJsonWhenMoreFollows() {
            assertThatThrownBy(() -> decode(Primitive.JSON, Value.newBuilder().setTextValue("{} {}")))
                    .hasMessageContaining("goes on");
        }

        @Test
        void isWrittenInNormalFormAsDyNumber() {
            assertThat(ValueEncoder.of(Primitive.DYNUMBER)
                            .encode(new BigDecimal("12.50"))
                            .getTextValue())
                    .isEqualTo(".125e2");
        }
    }

    @Test
    void thatIsAStructNeedsAllItsMembers() {
        Type type =
                new Type.Struct(List.of(new Type.Member("a", Primitive.INT32), new Type.Member("b", Primitive.UTF8)));
        assertThatThrownBy(() -> decode(
                        type, Value.newBuilder().addItems(Value.newBuilder().setInt32Value(1))))
                .hasMessage("a struct of 2 members has 1 values");
    }

    @Test
    void ofAVariantTypeIsRefused() {
        ValueProtos.Type variant = ValueProtos.Type.newBuilder()
                .setVariantType(ValueProtos.VariantType.getDefaultInstance())
                .build();
        assertThatThrownBy(() -> TypeCodec.decode(variant)).hasMessageContaining("variants are not supported");
    }

    @Test
    void ofATypeThatIsTooDeepIsRefused() {
        ValueProtos.Type type = TypeCodec.encode(Primitive.BOOL);
        for (int i = 0; i < 100; i++) {
            type = ValueProtos.Type.newBuilder()
                    .setListType(ValueProtos.ListType.newBuilder().setItem(type))
                    .build();
        }
        ValueProtos.Type deep = type;
        assertThatThrownBy(() -> TypeCodec.decode(deep)).hasMessageContaining("levels deep");
    }

    /** Random types, and values that they hold. */
    private record TypedValues(Random random) {
        Type type(int depth) {
            if (depth == 0 || random.nextInt(3) == 0) {
                return random.nextInt(10) == 0
                        ? new Type.Decimal(35, 10)
                        : List.of(Primitive.values()).get(random.nextInt(Primitive.values().length));
            }
            return switch (random.nextInt(5)) {
                case 0 -> new Type.ListOf(type(depth - 1));
                case 1 -> new Type.Tuple(List.of(type(depth - 1), type(depth - 1)));
                case 2 ->
                    new Type.Struct(
                            List.of(new Type.Member("x", type(depth - 1)), new Type.Member("y", type(depth - 1))));
                case 3 -> new Type.Dict(Primitive.UTF8, type(depth - 1));
                default -> new Type.Optional(type(depth - 1));
            };
        }

        @Nullable
        Object value(Type type) {
            if (type instanceof Primitive primitive) {
                return value(primitive);
            }
            if (type instanceof Type.Optional optional) {
                if (random.nextInt(3) == 0) {
                    return null;
                }
                Object inner = value(optional.item());
                return optional.item() instanceof Type.Optional ? new Just(inner) : inner;
            }
            if (type instanceof Type.ListOf list) {
                return Arrays.asList(value(list.item()), value(list.item()));
            }
            if (type instanceof Type.Tuple tuple) {
                return tuple.items().stream().map(this::value).toList();
            }
            if (type instanceof Type.Struct struct) {
                return Arrays.asList(struct.members().stream()
                        .map(member -> value(member.type()))
                        .toArray());
            }
            if (type instanceof Type.Dict dict) {
                Object payload = value(dict.payload());
                return payload == null ? Map.of() : Map.of("k" + random.nextInt(9), payload);
            }
            return new BigInteger(100, random);
        }

        private Object value(Primitive type) {
            return switch (type) {
                case BOOL -> random.nextBoolean();
                case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> (long) random.nextInt(128);
                case DATE, DATETIME, TIMESTAMP, INTERVAL -> (long) random.nextInt(49_673);
                case DATE32, DATETIME64, TIMESTAMP64, INTERVAL64 -> -(long) random.nextInt(1_000_000);
                case FLOAT -> random.nextFloat();
                case DOUBLE -> random.nextDouble();
                case STRING, YSON ->
                    new Bytes(ByteString.copyFromUtf8("b" + random.nextInt()).toByteArray());
                case UTF8, TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> "текст " + random.nextInt();
                case JSON, JSON_DOCUMENT -> "{\"n\":" + random.nextInt() + "}";
                case DYNUMBER -> new BigDecimal("0.1" + random.nextInt(9_999) + "7");
                case UUID -> new Uuid(random.nextLong(), random.nextLong());
            };
        }
    }
}
