package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.value.Casts;
import io.aardappel.emulator.query.value.Comparison;
import io.aardappel.emulator.query.value.Conversion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that a key column is compared with, brought to the type of the column. */
record KeyValue(Eval eval, Conversion.Step toColumn, Comparison sameness) {
    /** A value known at run time: none when the column's type has no equal of it; null itself is never equal. */
    record Known(@Nullable Object value, boolean isNull, boolean isNone) {}

    /** Null when values of these types cannot be brought together. */
    static @Nullable KeyValue of(Typed typed, Type column) {
        return of(typed.eval(), typed.type(), column);
    }

    private static @Nullable KeyValue of(Eval eval, Type type, Type column) {
        if (type == Type.Unit.NULL) {
            return null;
        }
        Type bare = type.unwrapped();
        Conversion conversion = Casts.of(bare, column);
        Comparison sameness = Comparison.of(bare, column);
        return conversion == null || sameness == null ? null : new KeyValue(eval, conversion.step(), sameness);
    }

    Known know(Frame frame) {
        return know(eval.of(frame));
    }

    private Known know(@Nullable Object value) {
        if (value == null) {
            return new Known(null, true, false);
        }
        Object converted = toColumn.apply(value);
        boolean same = converted != null && Boolean.TRUE.equals(sameness.equal(value, converted));
        return new Known(same ? converted : null, false, !same);
    }

    /** A list of such values. */
    record Set(Eval list, KeyValue item) {
        static @Nullable Set of(Typed list, Type item, Type column) {
            KeyValue value = KeyValue.of(frame -> null, item, column);
            return value == null ? null : new Set(list.eval(), value);
        }

        List<Known> know(Frame frame) {
            List<Known> known = new ArrayList<>();
            Object items = list.of(frame);
            if (items != null) {
                for (Object value : (List<?>) items) {
                    known.add(item.know(value));
                }
            }
            return known;
        }
    }
}
