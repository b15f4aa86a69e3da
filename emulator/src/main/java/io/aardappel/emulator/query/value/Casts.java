package io.aardappel.emulator.query.value;

import static io.aardappel.emulator.query.value.Conversions.present;

import io.aardappel.emulator.model.value.Bytes;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.model.value.ValueDomain;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** {@code CAST}: conversions that may lose something, or find no value, which gives null. */
public final class Casts {
    private Casts() {}

    /** The conversion that CAST makes, null when YQL has none for these types. */
    public static @Nullable Conversion of(Type from, Type to) {
        Type target = to.unwrapped();
        if (from == Type.Unit.NULL) {
            return Conversion.total(to.nullable(), value -> null);
        }
        if (from instanceof Type.Optional optional) {
            Conversion inner = of(optional.item(), target);
            return inner == null
                    ? null
                    : new Conversion(inner.result().nullable(), inner.step().nullSafe());
        }
        Conversion conversion = ofPresent(from, target);
        return conversion == null || !(to instanceof Type.Optional)
                ? conversion
                : new Conversion(conversion.result().nullable(), conversion.step());
    }

    private static @Nullable Conversion ofPresent(Type from, Type to) {
        Conversion implicit = Conversions.implicit(from, to);
        if (implicit != null) {
            return implicit;
        }
        if (Types.isText(from)) {
            return ofText(from, to);
        }
        if (Types.isText(to)) {
            return toText(from, to);
        }
        if (to instanceof Type.Decimal decimal) {
            return toDecimal(from, decimal);
        }
        if (from instanceof Type.Decimal decimal) {
            return ofDecimal(decimal, to);
        }
        if (Types.isNumeric(from) && Types.isNumeric(to)) {
            return number(from, to);
        }
        if (from == Primitive.BOOL && Types.isNumeric(to)) {
            return Conversion.total(to, present(value -> ofBit(to, (Boolean) value)));
        }
        if (to == Primitive.BOOL && Types.isNumeric(from)) {
            return Conversion.total(to, present(value -> ((Number) value).doubleValue() != 0));
        }
        if (isTime(from) || isTime(to)) {
            return time(from, to);
        }
        if (from == Primitive.DYNUMBER && Types.isNumeric(to)) {
            return Conversion.partial(to, present(value -> ofBigDecimal(to, (BigDecimal) value)));
        }
        if (to == Primitive.DYNUMBER && Types.isNumeric(from)) {
            return Conversion.partial(to, present(value -> TextForm.parse(to, TextForm.print(from, value))));
        }
        return Conversions.isJson(from) && Conversions.isJson(to) ? Conversion.total(to, value -> value) : null;
    }

    private static boolean isTime(Type type) {
        return Types.isPoint(type) || Types.isInterval(type);
    }

    private static @Nullable Conversion ofText(Type from, Type to) {
        if (!(to instanceof Primitive || to instanceof Type.Decimal)) {
            return null;
        }
        if (to == Primitive.YSON && from == Primitive.STRING) {
            return Conversion.partial(to, value -> value);
        }
        return Conversion.partial(to, present(value -> {
            String text = value instanceof Bytes bytes ? Conversions.utf8(bytes) : (String) value;
            return text == null ? null : TextForm.parse(to, text);
        }));
    }

    private static @Nullable Conversion toText(Type from, Type to) {
        if (from == Primitive.YSON) {
            return to == Primitive.UTF8
                    ? Conversion.partial(to, present(value -> Conversions.utf8((Bytes) value)))
                    : null;
        }
        return from instanceof Primitive || from instanceof Type.Decimal
                ? Conversion.total(to, present(value -> TextForm.parse(to, TextForm.print(from, value))))
                : null;
    }

    private static Object ofBit(Type to, boolean value) {
        return Types.isFloating(to) ? Conversions.toFloating(to, value ? 1 : 0) : (Object) (value ? 1L : 0L);
    }

    private static @Nullable Conversion number(Type from, Type to) {
        if (Types.isInteger(from)) {
            return Types.isInteger(to)
                    ? Conversion.partial(to, present(value -> Numbers.convert(from, to, (Long) value)))
                    : Conversion.total(
                            to, present(value -> Conversions.toFloating(to, Numbers.toDouble(from, (Long) value))));
        }
        return Types.isInteger(to)
                ? Conversion.partial(to, present(value -> Numbers.ofDouble(to, ((Number) value).doubleValue())))
                : Conversion.total(to, present(value -> Conversions.toFloating(to, ((Number) value).doubleValue())));
    }

    private static @Nullable Conversion toDecimal(Type from, Type.Decimal to) {
        if (Types.isInteger(from)) {
            return Conversion.total(
                    to, present(value -> Decimals.of(to, new BigDecimal(Numbers.toBig(from, (Long) value)))));
        }
        if (Types.isFloating(from)) {
            return Conversion.partial(to, present(value -> Decimals.of(to, ((Number) value).doubleValue())));
        }
        return from instanceof Type.Decimal decimal
                ? Conversion.total(to, present(value -> Decimals.rescale(decimal, to, (BigInteger) value)))
                : null;
    }

    private static @Nullable Conversion ofDecimal(Type.Decimal from, Type to) {
        if (Types.isFloating(to)) {
            return Conversion.total(
                    to, present(value -> Conversions.toFloating(to, Decimals.toDouble(from, (BigInteger) value))));
        }
        if (!Types.isInteger(to)) {
            return null;
        }
        return Conversion.partial(to, present(value -> {
            BigDecimal number = Decimals.number(from, (BigInteger) value);
            return number == null ? null : Numbers.exact(to, number.toBigInteger());
        }));
    }

    private static @Nullable Object ofBigDecimal(Type to, BigDecimal value) {
        return Types.isFloating(to)
                ? Conversions.toFloating(to, value.doubleValue())
                : Numbers.exact(to, value.toBigInteger());
    }

    private static @Nullable Conversion time(Type from, Type to) {
        if (Types.isPoint(from) && Types.isPoint(to)) {
            return point(from, to);
        }
        if (Types.isInterval(from) && Types.isInterval(to)) {
            return Conversion.partial(to, present(value -> inDomain(to, (Long) value)));
        }
        if (isTime(from) && Types.isNumeric(to)) {
            return Types.isInteger(to)
                    ? Conversion.partial(to, present(value -> Numbers.convert(Primitive.INT64, to, (Long) value)))
                    : Conversion.total(to, present(value -> Conversions.toFloating(to, (Long) value)));
        }
        if (isTime(to) && Types.isInteger(from)) {
            return Conversion.partial(to, present(value -> {
                Long number = Numbers.convert(from, Primitive.INT64, (Long) value);
                return number == null ? null : inDomain(to, number);
            }));
        }
        return null;
    }

    /** To a coarser unit rounds down; to a finer one, or out of the narrow range, may find no value. */
    private static Conversion point(Type from, Type to) {
        long fromUnit = Types.microsPerUnit(from);
        long toUnit = Types.microsPerUnit(to);
        if (fromUnit <= toUnit) {
            long divisor = toUnit / fromUnit;
            return Types.isWide(from) && !Types.isWide(to)
                    ? Conversion.partial(to, present(value -> inDomain(to, Math.floorDiv((Long) value, divisor))))
                    : Conversion.total(to, present(value -> Math.floorDiv((Long) value, divisor)));
        }
        long factor = fromUnit / toUnit;
        return Conversion.partial(to, present(value -> inDomain(to, (Long) value * factor)));
    }

    private static @Nullable Long inDomain(Type type, long value) {
        return ValueDomain.violation(type, value) == null ? value : null;
    }
}
