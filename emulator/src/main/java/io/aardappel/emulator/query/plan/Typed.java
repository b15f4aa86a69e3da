package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Conversions;
import io.aardappel.emulator.query.value.LiteralFit;
import io.aardappel.emulator.query.value.Types;
import org.jspecify.annotations.Nullable;

/**
 * An expression with its type.
 *
 * @param fixed true when the value is the same for every row of a statement
 * @param literal the literal that the expression is, null when it is none
 */
record Typed(Type type, Eval eval, boolean fixed, Expression.@Nullable Literal literal) {
    static Typed of(Type type, boolean fixed, Eval eval) {
        return new Typed(type, eval, fixed, null);
    }

    static Typed literal(Expression.Literal literal) {
        Object value = literal.value();
        return new Typed(literal.type(), frame -> value, true, literal);
    }

    static Typed constant(Type type, @Nullable Object value) {
        return Typed.of(type, true, frame -> value);
    }

    boolean nullable() {
        return Types.isNullable(type);
    }

    /** This expression as a value of another type where YQL converts by itself, null where it does not. */
    @Nullable
    Typed as(Type target) {
        boolean number = literal != null && Types.isInteger(type);
        Conversion conversion = number ? null : Conversions.implicit(type, target);
        if (conversion != null) {
            return conversion.isIdentity() ? new Typed(target, eval, fixed, literal) : then(conversion);
        }
        if (literal == null || literal.value() == null) {
            return null;
        }
        Object value = LiteralFit.fit(literal.type(), literal.value(), target);
        return value == null || target.unwrapped() instanceof Type.Optional ? null : constant(target, value);
    }

    /** The result of a conversion of this expression's value; the conversion takes care of nulls. */
    Typed then(Conversion conversion) {
        Eval inner = eval;
        Conversion.Step step = conversion.step();
        return of(conversion.result(), fixed, frame -> step.apply(inner.of(frame)));
    }
}
