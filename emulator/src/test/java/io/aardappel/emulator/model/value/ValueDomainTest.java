package io.aardappel.emulator.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a type holds")
class ValueDomainTest {
    @ParameterizedTest(name = "{0} from {1} to {2}")
    @CsvSource({
        "INT8, -128, 127",
        "UINT8, 0, 255",
        "INT16, -32768, 32767",
        "UINT16, 0, 65535",
        "INT32, -2147483648, 2147483647",
        "UINT32, 0, 4294967295",
        "DATE, 0, 49672",
        "DATETIME, 0, 4291747199",
        "TIMESTAMP, 0, 4291747199999999",
        "INTERVAL, -4291747199999999, 4291747199999999",
        "DATE32, -53375809, 53375807"
    })
    void hasTwoEnds(Primitive type, long min, long max) {
        assertThat(ValueDomain.violation(type, min)).isNull();
        assertThat(ValueDomain.violation(type, max)).isNull();
        assertThat(ValueDomain.violation(type, min - 1)).contains("out of range for " + type);
        assertThat(ValueDomain.violation(type, max + 1)).contains("out of range for " + type);
    }

    @Test
    void dependsOnThePrecisionOfADecimal() {
        Type.Decimal type = new Type.Decimal(3, 1);
        assertThat(ValueDomain.violation(type, BigInteger.valueOf(999))).isNull();
        assertThat(ValueDomain.violation(type, BigInteger.valueOf(1_000))).isNotNull();
        assertThat(ValueDomain.violation(type, ValueDomain.DECIMAL_NAN)).isNull();
    }

    @Test
    void isJsonOnlyWhenItParses() {
        assertThat(ValueDomain.violation(Primitive.JSON, "{\"a\":1}")).isNull();
        assertThat(ValueDomain.violation(Primitive.JSON, "{a:1}")).isNotNull();
    }

    @Test
    void isKeptInOneFormForEqualDyNumbers() {
        assertThat(ValueDomain.canonical(Primitive.DYNUMBER, new BigDecimal("100.0")))
                .isEqualTo(ValueDomain.canonical(Primitive.DYNUMBER, new BigDecimal("1e2")));
    }

    @Test
    void isKeptInOneFormForEqualJsonDocuments() {
        assertThat(ValueDomain.canonical(Primitive.JSON_DOCUMENT, "{ \"b\" : [1, 2], \"a\":{}, \"b\": 3 }"))
                .isEqualTo("{\"a\":{},\"b\":3}");
    }

    @Test
    void isKeptAsWrittenForJson() {
        assertThat(ValueDomain.canonical(Primitive.JSON, "{ \"b\": 1 }")).isEqualTo("{ \"b\": 1 }");
    }
}
