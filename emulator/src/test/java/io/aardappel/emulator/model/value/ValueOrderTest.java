package io.aardappel.emulator.model.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The order of values")
class ValueOrderTest {
    private static void assertRising(Type type, @Nullable Object... values) {
        Comparator<@Nullable Object> order = ValueOrder.of(type);
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < values.length; j++) {
                assertThat(Integer.signum(order.compare(values[i], values[j])))
                        .as(values[i] + " to " + values[j])
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void putsNullFirst() {
        assertRising(Type.Primitive.INT64, null, Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE);
    }

    @Test
    void takesUint64AsUnsigned() {
        assertRising(Type.Primitive.UINT64, null, 0L, Long.MAX_VALUE, Long.MIN_VALUE, -1L);
    }

    @Test
    void takesBytesAsUnsigned() {
        assertRising(
                Type.Primitive.STRING,
                new Bytes(new byte[0]),
                new Bytes(new byte[] {1}),
                new Bytes(new byte[] {1, 0}),
                new Bytes(new byte[] {-1}));
    }

    @Test
    void isNumericForDecimalsWithNotANumberLast() {
        assertRising(
                new Type.Decimal(22, 9),
                ValueDomain.DECIMAL_INFINITY.negate(),
                BigInteger.valueOf(-5),
                BigInteger.TEN,
                ValueDomain.DECIMAL_INFINITY,
                ValueDomain.DECIMAL_NAN);
    }

    @Test
    void isNumericForDyNumbers() {
        assertRising(Type.Primitive.DYNUMBER, new BigDecimal("-1e9"), new BigDecimal("0.5"), new BigDecimal("12.50"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void ofTextIsThatOfItsUtf8Bytes(long seed) {
        Random random = new Random(seed);
        int[] alphabet = {'a', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
        for (int i = 0; i < 2_000; i++) {
            String a = text(random, alphabet);
            String b = text(random, alphabet);
            int bytes = Integer.signum(
                    Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
            assertThat(Integer.signum(ValueOrder.compareText(a, b)))
                    .as("seed %d: %s to %s", seed, a, b)
                    .isEqualTo(bytes);
        }
    }

    private static String text(Random random, int[] alphabet) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(4); n > 0; n--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON", "JSON_DOCUMENT", "YSON"})
    void isNotDefinedForDocuments(Type.Primitive type) {
        assertThatThrownBy(() -> ValueOrder.of(type)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofKeysPutsAPrefixBeforeAndItsTopBehindAllKeysThatBeginWithIt() {
        Comparator<List<@Nullable Object>> order =
                ValueOrder.ofKeys(List.of(Type.Primitive.INT64, Type.Primitive.UTF8));
        List<List<@Nullable Object>> rising = List.of(
                List.of(1L, "z"),
                List.of(2L),
                Arrays.asList(2L, null),
                List.of(2L, "a"),
                List.of(2L, "a", ValueOrder.TOP),
                List.of(2L, "b"),
                List.of(2L, ValueOrder.TOP),
                List.of(3L));
        for (int i = 0; i < rising.size(); i++) {
            for (int j = 0; j < rising.size(); j++) {
                assertThat(Integer.signum(order.compare(rising.get(i), rising.get(j))))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }
}
