package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** What literals allow beside values of other origin: the value is known, so whether it fits is known too. */
public final class LiteralFit {
    private LiteralFit() {}

    /** The literal as a present value of the type, null when it does not fit or needs a CAST. */
    public static @Nullable Object fit(Type from, Object value, Type to) {
        Type target = to.unwrapped();
        if (Types.isInteger(from) && (Types.isInteger(target) || Types.isFloating(target))) {
            return ofInteger(from, (Long) value, target);
        }
        Conversion implicit = Conversions.implicit(from, target);
        if (implicit != null) {
            return implicit.step().apply(value);
        }
        return from == Primitive.STRING ? ofString((Bytes) value, target) : null;
    }

    private static @Nullable Object ofInteger(Type from, long value, Type to) {
        if (Types.isInteger(to)) {
            return Numbers.convert(from, to, value);
        }
        if (Types.isFloating(to)) {
            double number = Numbers.toDouble(from, value);
            Object fitted = Conversions.toFloating(to, number);
            boolean exact =
                    BigInteger.valueOf((long) ((Number) fitted).doubleValue()).equals(Numbers.toBig(from, value));
            return exact ? fitted : null;
        }
        return null;
    }

    private static @Nullable Object ofString(Bytes value, Type to) {
        if (to == Primitive.YSON) {
            return value;
        }
        String text = Conversions.utf8(value);
        return text != null && (to == Primitive.UTF8 || to == Primitive.JSON) ? TextForm.parse(to, text) : null;
    }
}
