package io.aardappel.emulator.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The text of a value in a changefeed")
class ChangefeedTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00.000000Z",
        "1641092645060000, 2022-01-02T03:04:05.060000Z",
        "4291747199999999, 2105-12-31T23:59:59.999999Z"
    })
    void ofATimestampHasSixDigits(long micros, String text) {
        assertThat(ChangefeedText.timestamp(micros)).isEqualTo(text);
    }

    @Test
    void ofADateHasThemToo() {
        assertThat(ChangefeedText.date(19_782)).isEqualTo("2024-02-29T00:00:00.000000Z");
    }

    @Test
    void ofADatetimeHasThemToo() {
        assertThat(ChangefeedText.datetime(59)).isEqualTo("1970-01-01T00:00:59.000000Z");
    }

    @ParameterizedTest
    @CsvSource({"1500000000, 1.5", "7000000000, 7", "0, 0", "-250000000, -0.25", "1, 0.000000001", "1000000000000, 1000"
    })
    void ofADecimalHasNoTrailingZeros(long unscaled, String text) {
        assertThat(ChangefeedText.decimal(new Type.Decimal(22, 9), BigInteger.valueOf(unscaled)))
                .isEqualTo(text);
    }

    @Test
    void ofSpecialDecimalsIsAWord() {
        Type.Decimal type = new Type.Decimal(35, 0);
        assertThat(ChangefeedText.decimal(type, ValueDomain.DECIMAL_INFINITY)).isEqualTo("inf");
        assertThat(ChangefeedText.decimal(type, ValueDomain.DECIMAL_INFINITY.negate()))
                .isEqualTo("-inf");
        assertThat(ChangefeedText.decimal(type, ValueDomain.DECIMAL_NAN)).isEqualTo("nan");
    }

    @ParameterizedTest
    @CsvSource({
        "12.5, .125e2",
        "0.5, .5",
        "-4.5, -.45e1",
        "0, 0",
        "0.00, 0",
        "1000, .1e4",
        "0.001, .1e-2",
        "12.500, .125e2"
    })
    void ofADyNumberIsInNormalForm(BigDecimal value, String text) {
        assertThat(ChangefeedText.dyNumber(value)).isEqualTo(text);
    }

    @Test
    void ofAUuidTurnsItsHalvesIntoHex() {
        Uuid uuid = new Uuid(0x7788_5566_1122_3344L, 0x0102_0304_0506_0708L);
        assertThat(ChangefeedText.uuid(uuid)).isEqualTo("11223344-5566-7788-0807-060504030201");
    }
}
