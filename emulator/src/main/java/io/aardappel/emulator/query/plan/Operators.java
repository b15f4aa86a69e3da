package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Arithmetic;
import io.aardappel.emulator.query.value.Comparison;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resolves operators, in YQL's three-valued logic. */
final class Operators {
    private final ExpressionBinder binder;

    Operators(ExpressionBinder binder) {
        this.binder = binder;
    }

    Typed binary(Expression.Binary binary, Scope scope) {
        Typed left = binder.bind(binary.left(), scope);
        Typed right = binder.bind(binary.right(), scope);
        Operator operator = binary.operator();
        return switch (operator) {
            case OR, AND, XOR -> logic(binary.at(), operator, left, right);
            case COALESCE -> coalesce(binary.at(), left, right);
            case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL ->
                compare(binary.at(), operator, left, right);
            case DISTINCT_FROM, NOT_DISTINCT_FROM -> distinct(binary.at(), operator, left, right);
            default -> arithmetic(binary.at(), operator, left, right);
        };
    }

    private static Type bool(Typed... operands) {
        for (Typed operand : operands) {
            if (operand.nullable()) {
                return Primitive.BOOL.nullable();
            }
        }
        return Primitive.BOOL;
    }

    private Typed logic(Position at, Operator operator, Typed left, Typed right) {
        for (Typed operand : List.of(left, right)) {
            if (operand.type().unwrapped() != Primitive.BOOL && operand.type() != Type.Unit.NULL) {
                throw at.error(operator.sign() + " expects Bool, but got: " + Types.show(operand.type()));
            }
        }
        Eval a = left.eval();
        Eval b = right.eval();
        boolean fixed = left.fixed() && right.fixed();
        return Typed.of(
                bool(left, right),
                fixed,
                switch (operator) {
                    case AND -> frame -> and(a, b, frame);
                    case OR -> frame -> or(a, b, frame);
                    default ->
                        frame -> {
                            Boolean x = (Boolean) a.of(frame);
                            Boolean y = (Boolean) b.of(frame);
                            return x == null || y == null ? null : (Object) (x ^ y);
                        };
                });
    }

    private static @Nullable Object and(Eval a, Eval b, Frame frame) {
        Boolean x = (Boolean) a.of(frame);
        if (x != null && !x) {
            return false;
        }
        Boolean y = (Boolean) b.of(frame);
        if (y != null && !y) {
            return false;
        }
        return (x == null || y == null) ? null : true;
    }

    private static @Nullable Object or(Eval a, Eval b, Frame frame) {
        Boolean x = (Boolean) a.of(frame);
        if (x != null && x) {
            return true;
        }
        Boolean y = (Boolean) b.of(frame);
        if (y != null && y) {
            return true;
        }
        return (x == null || y == null) ? null : false;
    }

    Typed coalesce(Position at, Typed left, Typed right) {
        if (left.type() == Type.Unit.NULL) {
            return right;
        }
        if (!(left.type() instanceof Type.Optional optional)) {
            return left;
        }
        Typed direct = right.as(optional.item());
        if (direct == null) {
            direct = right.as(optional);
        }
        Type common = direct != null ? direct.type() : Types.common(optional, right.type());
        if (common == null) {
            throw at.error("Incompatible types in ??: " + Types.show(left.type()) + " and " + Types.show(right.type()));
        }
        Type result = right.nullable() ? common.nullable() : common.unwrapped();
        boolean nested = optional.item() instanceof Type.Optional;
        Typed fallback = direct != null ? direct : binder.as(at, right, result);
        Typed first = nested ? left : binder.as(at, left, result.nullable());
        Eval a = first.eval();
        Eval b = fallback.eval();
        return Typed.of(nested ? optional.item() : result, left.fixed() && right.fixed(), frame -> {
            Object value = a.of(frame);
            return value == null ? b.of(frame) : nested ? ExpressionBinder.unwrap(value) : value;
        });
    }

    /** A comparison of two values. */
    Typed compare(Position at, Operator operator, Typed left, Typed right) {
        Comparison comparison = comparison(at, left.type(), right.type());
        Eval a = left.eval();
        Eval b = right.eval();
        Eval eval = switch (operator) {
            case EQUAL -> frame -> comparison.equal(a.of(frame), b.of(frame));
            case NOT_EQUAL -> frame -> not(comparison.equal(a.of(frame), b.of(frame)));
            case LESS -> frame -> comparison.less(a.of(frame), b.of(frame));
            case GREATER -> {
                Comparison reverse = comparison(at, right.type(), left.type());
                yield frame -> reverse.less(b.of(frame), a.of(frame));
            }
            case LESS_EQUAL -> frame -> lessOrEqual(comparison, a.of(frame), b.of(frame));
            default -> {
                Comparison reverse = comparison(at, right.type(), left.type());
                yield frame -> lessOrEqual(reverse, b.of(frame), a.of(frame));
            }
        };
        boolean nullable = left.nullable() || right.nullable() || hasNullable(left.type()) || hasNullable(right.type());
        return Typed.of(nullable ? Primitive.BOOL.nullable() : Primitive.BOOL, left.fixed() && right.fixed(), eval);
    }

    private static boolean hasNullable(Type type) {
        return type instanceof Type.Tuple tuple
                && tuple.items().stream().anyMatch(item -> Types.isNullable(item) || hasNullable(item));
    }

    static Comparison comparison(Position at, Type left, Type right) {
        Comparison comparison = Comparison.of(left, right);
        if (comparison == null) {
            throw at.error("Can't compare " + Types.show(left) + " and " + Types.show(right));
        }
        return comparison;
    }

    private static @Nullable Boolean not(@Nullable Boolean value) {
        return value == null ? null : !value;
    }

    private static @Nullable Boolean lessOrEqual(Comparison comparison, @Nullable Object a, @Nullable Object b) {
        Boolean less = comparison.less(a, b);
        return (less == null || less) ? less : comparison.equal(a, b);
    }

    private static Typed distinct(Position at, Operator operator, Typed left, Typed right) {
        Comparison comparison = comparison(at, left.type(), right.type());
        boolean wanted = operator == Operator.DISTINCT_FROM;
        return Typed.of(Primitive.BOOL, left.fixed() && right.fixed(), frame -> {
            Object a = left.eval().of(frame);
            Object b = right.eval().of(frame);
            boolean same = (a == null || b == null) ? a == b : Boolean.TRUE.equals(comparison.equal(a, b));
            return same != wanted;
        });
    }

    private static Typed arithmetic(Position at, Operator operator, Typed left, Typed right) {
        if (left.type() == Type.Unit.NULL || right.type() == Type.Unit.NULL) {
            return Typed.constant(Type.Unit.NULL, null);
        }
        Arithmetic.Operation operation =
                Arithmetic.of(operator, left.type().unwrapped(), right.type().unwrapped());
        if (operation == null) {
            throw at.error("Cannot apply " + operator.sign() + " to " + Types.show(left.type()) + " and "
                    + Types.show(right.type()));
        }
        boolean nullable = left.nullable() || right.nullable();
        Eval a = left.eval();
        Eval b = right.eval();
        Arithmetic.Function function = operation.function();
        return Typed.of(
                nullable ? operation.result().nullable() : operation.result(), left.fixed() && right.fixed(), frame -> {
                    Object x = a.of(frame);
                    Object y = x == null ? null : b.of(frame);
                    return x == null || y == null ? null : function.apply(x, y);
                });
    }

    Typed unary(Expression.Unary unary, Scope scope) {
        Typed operand = binder.bind(unary.operand(), scope);
        if (operand.type() == Type.Unit.NULL) {
            return operand;
        }
        if (unary.operator() == Operator.NOT) {
            if (operand.type().unwrapped() != Primitive.BOOL) {
                throw unary.at().error("NOT expects Bool, but got: " + Types.show(operand.type()));
            }
            Eval eval = operand.eval();
            return Typed.of(operand.type(), operand.fixed(), frame -> not((Boolean) eval.of(frame)));
        }
        Conversion conversion =
                Arithmetic.unary(unary.operator(), operand.type().unwrapped());
        if (conversion == null) {
            throw unary.at().error("Cannot apply " + unary.operator().sign() + " to " + Types.show(operand.type()));
        }
        return operand.then(new Conversion(operand.type(), conversion.step().nullSafe()));
    }

    Typed isNull(Expression.IsNull isNull, Scope scope) {
        Typed operand = binder.bind(isNull.operand(), scope);
        Eval eval = operand.eval();
        boolean negated = isNull.negated();
        return Typed.of(Primitive.BOOL, operand.fixed(), frame -> (eval.of(frame) == null) != negated);
    }

    Typed between(Expression.Between between, Scope scope) {
        Typed operand = binder.bind(between.operand(), scope);
        Typed low = compare(between.at(), Operator.GREATER_EQUAL, operand, binder.bind(between.low(), scope));
        Typed high = compare(between.at(), Operator.LESS_EQUAL, operand, binder.bind(between.high(), scope));
        Typed both = logic(between.at(), Operator.AND, low, high);
        return between.negated() ? negate(both) : both;
    }

    private static Typed negate(Typed condition) {
        Eval eval = condition.eval();
        return Typed.of(condition.type(), condition.fixed(), frame -> not((Boolean) eval.of(frame)));
    }

    Typed in(Expression.In in, Scope scope) {
        Typed operand = binder.bind(in.operand(), scope);
        Typed found;
        if (in.set() instanceof Expression.Tuple tuple) {
            found = amongItems(in.at(), operand, binder.bindAll(tuple.items(), scope));
        } else if (in.set() instanceof Expression.Subquery subquery) {
            found = amongValues(in.at(), operand, binder.queries().column(subquery.query()));
        } else {
            Typed set = binder.bind(in.set(), scope);
            boolean collection = set.type().unwrapped() instanceof Type.ListOf
                    || set.type().unwrapped() instanceof Type.Dict
                    || (set.type().unwrapped() instanceof Type.Tuple && !(operand.type() instanceof Type.Tuple))
                    || set.type() == Type.Unit.EMPTY_LIST;
            // x IN (y) has a group where a tuple of one is meant
            found = collection ? amongValues(in.at(), operand, set) : amongItems(in.at(), operand, List.of(set));
        }
        return in.negated() ? negate(found) : found;
    }

    private Typed amongItems(Position at, Typed operand, List<Typed> items) {
        List<Typed> tests = new ArrayList<>();
        for (Typed item : items) {
            tests.add(compare(at, Operator.EQUAL, operand, item));
        }
        boolean fixed = tests.stream().allMatch(Typed::fixed);
        Eval[] evals = tests.stream().map(Typed::eval).toArray(Eval[]::new);
        return Typed.of(bool(tests.toArray(Typed[]::new)), fixed, frame -> {
            Boolean result = false;
            for (Eval eval : evals) {
                Boolean equal = (Boolean) eval.of(frame);
                if (equal == null) {
                    result = null;
                } else if (equal) {
                    return true;
                }
            }
            return result;
        });
    }

    private static Typed amongValues(Position at, Typed operand, Typed set) {
        Type type = set.type().unwrapped();
        Type item = type instanceof Type.ListOf list
                ? list.item()
                : type instanceof Type.Dict dict
                        ? dict.key()
                        : type instanceof Type.Tuple tuple && !tuple.items().isEmpty()
                                ? tuple.items().get(0)
                                : operand.type();
        Comparison comparison = comparison(at, operand.type(), item);
        boolean nullable = operand.nullable() || Types.isNullable(item) || set.nullable();
        Eval value = operand.eval();
        Eval values = set.eval();
        return Typed.of(
                nullable ? Primitive.BOOL.nullable() : Primitive.BOOL, operand.fixed() && set.fixed(), frame -> {
                    Object all = values.of(frame);
                    return all == null ? null : contains(comparison, value.of(frame), all);
                });
    }

    private static @Nullable Boolean contains(Comparison comparison, @Nullable Object value, Object all) {
        Iterable<?> items = all instanceof Map<?, ?> map ? map.keySet() : (List<?>) all;
        Boolean result = false;
        for (Object item : items) {
            Boolean equal = comparison.equal(value, item);
            if (equal == null) {
                result = null;
            } else if (equal) {
                return true;
            }
        }
        return result;
    }

    Typed choice(Expression.Case choice, Scope scope) {
        List<Typed> conditions = new ArrayList<>();
        List<Typed> results = new ArrayList<>();
        for (Expression.When when : choice.branches()) {
            conditions.add(
                    choice.operand() == null
                            ? binder.condition(when.condition(), scope)
                            : compare(
                                    choice.at(),
                                    Operator.EQUAL,
                                    binder.bind(choice.operand(), scope),
                                    binder.bind(when.condition(), scope)));
            results.add(binder.bind(when.result(), scope));
        }
        results.add(
                choice.otherwise() == null
                        ? Typed.constant(Type.Unit.NULL, null)
                        : binder.bind(choice.otherwise(), scope));
        return choose(choice.at(), conditions, results);
    }

    /** The result of the first condition that is true; the last result when none is. */
    Typed choose(Position at, List<Typed> conditions, List<Typed> results) {
        Type common = binder.commonType(at, results);
        Eval[] tests = conditions.stream().map(Typed::eval).toArray(Eval[]::new);
        Eval[] values = results.stream()
                .map(result -> binder.as(at, result, common).eval())
                .toArray(Eval[]::new);
        boolean fixed =
                conditions.stream().allMatch(Typed::fixed) && results.stream().allMatch(Typed::fixed);
        return Typed.of(common, fixed, frame -> {
            int branch = 0;
            while (branch < tests.length && !Boolean.TRUE.equals(tests[branch].of(frame))) {
                branch++;
            }
            return Objects.requireNonNull(values[branch]).of(frame);
        });
    }
}
