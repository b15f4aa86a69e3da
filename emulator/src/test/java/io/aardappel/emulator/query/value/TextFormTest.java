package io.aardappel.emulator.query.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.Uuid;
import io.aardappel.emulator.model.value.ValueDomain;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The text of a value")
class TextFormTest {
    @ParameterizedTest(name = "of {0}")
    @EnumSource(
            value = Primitive.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TZ_DATE", "TZ_DATETIME", "TZ_TIMESTAMP"})
    void leadsBackToIt(Primitive type) {
        long seed = type.id() + 1L;
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Object value = random(type, random);
            if (ValueDomain.violation(type, value) == null) {
                String text = TextForm.print(type, value);
                assertThat(TextForm.parse(type, text))
                        .as("seed %d, text %s", seed, text)
                        .isEqualTo(value);
            }
        }
    }

    @Test
    void ofADecimalLeadsBackToIt() {
        Random random = new Random(5);
        for (int i = 0; i < 2_000; i++) {
            int precision = 1 + random.nextInt(35);
            Type.Decimal type = new Type.Decimal(precision, random.nextInt(precision + 1));
            BigInteger value = new BigInteger(1 + random.nextInt(110), random).mod(BigInteger.TEN.pow(precision));
            assertThat(TextForm.parse(type, TextForm.print(type, value)))
                    .as("%s %s", type, value)
                    .isEqualTo(value);
        }
    }

    @Test
    void ofADecimalThatIsNoNumberLeadsBackToIt() {
        Type.Decimal type = new Type.Decimal(22, 9);
        for (BigInteger value :
                List.of(ValueDomain.DECIMAL_INFINITY, ValueDomain.DECIMAL_INFINITY.negate(), ValueDomain.DECIMAL_NAN)) {
            assertThat(TextForm.parse(type, TextForm.print(type, value))).isEqualTo(value);
        }
    }

    private static Object random(Primitive type, Random random) {
        long bits = random.nextLong() >> random.nextInt(64);
        return switch (type) {
            case BOOL -> random.nextBoolean();
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
                    UINT64 -> bits;
            case INTERVAL64 -> bits >> 2;
            case FLOAT -> Float.intBitsToFloat(random.nextInt());
            case DOUBLE -> Double.longBitsToDouble(random.nextLong());
            case STRING, YSON -> new Bytes(new byte[] {'a', (byte) ('a' + random.nextInt(26))});
            case UTF8 -> Character.toString(0x61 + random.nextInt(0x500));
            case JSON, JSON_DOCUMENT -> "{\"a\":[" + bits + ",true,null,1.5e3,\"\\u00e9\\n\"]}";
            case UUID -> new Uuid(random.nextLong(), random.nextLong());
            case DYNUMBER ->
                ValueDomain.canonicalDyNumber(BigDecimal.valueOf(random.nextLong(), random.nextInt(60) - 30));
            case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> throw new IllegalArgumentException(type.toString());
        };
    }
}
