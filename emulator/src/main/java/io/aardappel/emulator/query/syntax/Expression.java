package io.aardappel.emulator.query.syntax;

import io.aardappel.emulator.model.value.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression as written; names and types are not resolved yet. */
public sealed interface Expression {
    Position at();

    /**
     * A constant.
     *
     * @param bare true when written without a type of its own ({@code 5}, {@code 'x'}): it then fits other types too
     */
    record Literal(Position at, Type type, @Nullable Object value, boolean bare) implements Expression {}

    /** A column, a source or a word that only a function understands. */
    record Name(Position at, String name) implements Expression {}

    /** {@code $name}: a named expression, a parameter or an argument of a lambda. */
    record Variable(Position at, String name) implements Expression {}

    /** {@code of.name} or {@code of.0}. */
    record Member(Position at, Expression of, String name) implements Expression {}

    record Index(Position at, Expression of, Expression index) implements Expression {}

    record Unary(Position at, Operator operator, Expression operand) implements Expression {}

    record Binary(Position at, Operator operator, Expression left, Expression right) implements Expression {}

    record In(Position at, Expression operand, boolean negated, Expression set) implements Expression {}

    record Between(Position at, Expression operand, boolean negated, Expression low, Expression high)
            implements Expression {}

    record IsNull(Position at, Expression operand, boolean negated) implements Expression {}

    record Like(
            Position at,
            Expression operand,
            boolean negated,
            boolean ignoreCase,
            Expression pattern,
            @Nullable Expression escape)
            implements Expression {}

    record Cast(Position at, Expression operand, Type type) implements Expression {}

    /** {@code Nothing(T)}. */
    record Nothing(Position at, Type type) implements Expression {}

    record Case(
            Position at,
            @Nullable Expression operand,
            List<When> branches,
            @Nullable Expression otherwise) implements Expression {}

    record When(Expression condition, Expression result) {}

    /** A call by name, such as {@code COUNT(*)} (star) or {@code DateTime::MakeTimestamp(x)}. */
    record Call(Position at, String name, boolean distinct, boolean star, List<Argument> arguments)
            implements Expression {}

    record Argument(Expression value, @Nullable String name) {}

    /** A call of a lambda held by an expression. */
    record Apply(Position at, Expression callee, List<Argument> arguments) implements Expression {}

    record Lambda(Position at, List<String> parameters, List<Assignment> assignments, Expression result)
            implements Expression {}

    record Assignment(String name, Expression value) {}

    record Tuple(Position at, List<Expression> items) implements Expression {}

    record ListOf(Position at, List<Expression> items) implements Expression {}

    record Struct(Position at, List<String> names, List<Expression> items) implements Expression {}

    record Dict(Position at, List<Expression> keys, List<Expression> payloads) implements Expression {}

    /** A query where a value is wanted: the first column of its only row, or a table behind {@code FROM}. */
    record Subquery(Position at, Query query) implements Expression {}

    record Exists(Position at, Query query) implements Expression {}
}
