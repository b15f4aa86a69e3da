package io.aardappel.emulator.query.value;

import io.aardappel.emulator.model.value.Type;
import org.jspecify.annotations.Nullable;

/**
 * How values of one type become values of another.
 *
 * @param result the type of what comes out, optional when some values have no counterpart
 * @param step what is done with a value
 */
public record Conversion(Type result, Step step) {
    /** A function of one value. */
    @FunctionalInterface
    public interface Step {
        Step IDENTITY = value -> value;

        @Nullable
        Object apply(@Nullable Object value);

        /** This step for present values, null for null. */
        default Step nullSafe() {
            return this == IDENTITY ? this : value -> value == null ? null : apply(value);
        }
    }

    static Conversion total(Type result, Step step) {
        return new Conversion(result, step);
    }

    static Conversion partial(Type result, Step step) {
        return new Conversion(result.nullable(), step);
    }

    /** True when values stay as they are. */
    public boolean isIdentity() {
        return step == Step.IDENTITY;
    }
}
