package io.aardappel.emulator.grpc.value;

import java.math.BigDecimal;

/** YDB's normal form of a DyNumber: {@code [-].<digits>[e<exponent>]}, the digits without zeros at either end; zero is {@code 0}. */
final class DyNumberText {
    private DyNumberText() {}

    static String of(BigDecimal number) {
        if (number.signum() == 0) {
            return "0";
        }
        BigDecimal bare = number.abs().stripTrailingZeros();
        String digits = bare.unscaledValue().toString();
        int exponent = digits.length() - bare.scale();
        return (number.signum() < 0 ? "-." : ".") + digits + (exponent == 0 ? "" : "e" + exponent);
    }
}
