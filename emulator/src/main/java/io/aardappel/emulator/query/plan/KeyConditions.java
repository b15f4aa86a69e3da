package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Operator;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a WHERE says about the columns of a primary key, as far as a read of keys and ranges can use it: equality, IN,
 * IS NULL, bounds, and bounds and IN over tuples of the first key columns. All else is left to the filter.
 */
final class KeyConditions {
    /** What is said of one key column; the lists hold alternatives to choose one of, not all need to be used. */
    static final class OfColumn {
        final List<List<KeyValue>> equal = new ArrayList<>();
        final List<KeyValue.Set> sets = new ArrayList<>();
        final List<KeyValue> above = new ArrayList<>();
        final List<KeyValue> below = new ArrayList<>();
        final List<Boolean> aboveInclusive = new ArrayList<>();
        final List<Boolean> belowInclusive = new ArrayList<>();
        boolean isNull;
    }

    /** A bound of several first key columns. */
    record TupleBound(List<KeyValue> values, boolean inclusive) {}

    private final QueryBinder queries;
    private final TableSchema schema;
    private final Scope scope;
    private final Map<Integer, OfColumn> columns = new HashMap<>();
    private final List<TupleBound> above = new ArrayList<>();
    private final List<TupleBound> below = new ArrayList<>();
    private final List<List<List<KeyValue>>> tuples = new ArrayList<>();

    private KeyConditions(QueryBinder queries, TableSchema schema, Scope scope) {
        this.queries = queries;
        this.schema = schema;
        this.scope = scope;
    }

    /** @param scope the table's own columns in their order, under the name by which the conditions may call the table */
    static KeyConditions of(QueryBinder queries, TableSchema schema, Scope scope, List<Expression> conditions) {
        KeyConditions all = new KeyConditions(queries, schema, scope);
        conditions.forEach(all::take);
        return all;
    }

    /** The keys to read, with all values known. */
    KeySelection select(Frame frame) {
        return new KeySelection.Builder(schema, columns, tuples, above, below).build(frame);
    }

    private void take(Expression condition) {
        if (condition instanceof Expression.Binary binary) {
            takeBinary(binary);
        } else if (condition instanceof Expression.In in && !in.negated()) {
            takeIn(in);
        } else if (condition instanceof Expression.Between between && !between.negated()) {
            compare(Operator.GREATER_EQUAL, between.operand(), between.low());
            compare(Operator.LESS_EQUAL, between.operand(), between.high());
        } else if (condition instanceof Expression.IsNull isNull && !isNull.negated()) {
            int key = keyColumn(isNull.operand());
            if (key >= 0) {
                column(key).isNull = true;
            }
        }
    }

    private void takeBinary(Expression.Binary binary) {
        if (binary.operator() == Operator.OR) {
            takeAlternatives(binary);
        } else if (binary.operator().isComparison() && binary.operator() != Operator.NOT_EQUAL) {
            compare(binary.operator(), binary.left(), binary.right());
            compare(binary.operator().mirrored(), binary.right(), binary.left());
        }
    }

    /** {@code k = 1 OR k = 2} is a list of values. */
    private void takeAlternatives(Expression.Binary or) {
        List<Expression> operands = new ArrayList<>();
        CoreBinder.addOperands(or, Operator.OR, operands);
        List<KeyValue> values = new ArrayList<>();
        int column = -1;
        for (Expression operand : operands) {
            if (!(operand instanceof Expression.Binary equality) || equality.operator() != Operator.EQUAL) {
                return;
            }
            boolean mirrored = keyColumn(equality.left()) < 0;
            int key = keyColumn(mirrored ? equality.right() : equality.left());
            KeyValue value = key < 0 ? null : value(key, mirrored ? equality.left() : equality.right());
            if (value == null || (column >= 0 && column != key)) {
                return;
            }
            column = key;
            values.add(value);
        }
        column(column).equal.add(values);
    }

    private void compare(Operator operator, Expression left, Expression right) {
        if (left instanceof Expression.Tuple a && right instanceof Expression.Tuple b) {
            compareTuples(operator, a, b);
            return;
        }
        int key = keyColumn(left);
        KeyValue value = key < 0 ? null : value(key, right);
        if (value == null) {
            return;
        }
        OfColumn column = column(key);
        switch (operator) {
            case EQUAL -> column.equal.add(List.of(value));
            case GREATER, GREATER_EQUAL -> {
                column.above.add(value);
                column.aboveInclusive.add(operator == Operator.GREATER_EQUAL);
            }
            default -> {
                column.below.add(value);
                column.belowInclusive.add(operator == Operator.LESS_EQUAL);
            }
        }
    }

    private void compareTuples(Operator operator, Expression.Tuple columns, Expression.Tuple values) {
        if (columns.items().size() != values.items().size()) {
            return;
        }
        if (operator == Operator.EQUAL) {
            for (int i = 0; i < columns.items().size(); i++) {
                compare(Operator.EQUAL, columns.items().get(i), values.items().get(i));
            }
            return;
        }
        List<KeyValue> bound = new ArrayList<>();
        for (int i = 0; i < columns.items().size(); i++) {
            KeyValue value = keyColumn(columns.items().get(i)) == i
                    ? value(i, values.items().get(i))
                    : null;
            if (value == null) {
                return;
            }
            bound.add(value);
        }
        boolean inclusive = operator == Operator.GREATER_EQUAL || operator == Operator.LESS_EQUAL;
        boolean greater = operator == Operator.GREATER || operator == Operator.GREATER_EQUAL;
        (greater ? above : below).add(new TupleBound(bound, inclusive));
    }

    private void takeIn(Expression.In in) {
        if (in.operand() instanceof Expression.Tuple operand) {
            takeTuples(operand, in.set());
            return;
        }
        int key = keyColumn(in.operand());
        if (key < 0) {
            return;
        }
        if (in.set() instanceof Expression.Tuple tuple) {
            List<KeyValue> values = new ArrayList<>();
            for (Expression item : tuple.items()) {
                KeyValue value = value(key, item);
                if (value == null) {
                    return;
                }
                values.add(value);
            }
            column(key).equal.add(values);
            return;
        }
        if (in.set() instanceof Expression.Subquery) {
            return;
        }
        takeSet(key, in.set());
    }

    private void takeSet(int key, Expression expression) {
        Typed set = queries.expressions().bind(expression, scope);
        if (!set.fixed()) {
            return;
        }
        Type type = set.type().unwrapped();
        if (type instanceof Type.ListOf list) {
            KeyValue.Set values = KeyValue.Set.of(set, list.item(), keyType(key));
            if (values != null) {
                column(key).sets.add(values);
            }
        } else if (!(type instanceof Type.Tuple) && !(type instanceof Type.Dict) && !(type instanceof Type.Unit)) {
            compare(Operator.EQUAL, keyName(key), expression);
        }
    }

    private Expression keyName(int key) {
        return new Expression.Name(new Position(0, 0), schema.primaryKey().get(key));
    }

    /** {@code (a, b) IN ((1, 2), (3, 4))} with the first columns of the key in their order. */
    private void takeTuples(Expression.Tuple operand, Expression set) {
        if (!(set instanceof Expression.Tuple alternatives)) {
            return;
        }
        List<List<KeyValue>> all = new ArrayList<>();
        for (Expression alternative : alternatives.items()) {
            if (!(alternative instanceof Expression.Tuple tuple)
                    || tuple.items().size() != operand.items().size()) {
                return;
            }
            List<KeyValue> values = new ArrayList<>();
            for (int i = 0; i < tuple.items().size(); i++) {
                KeyValue value = keyColumn(operand.items().get(i)) == i
                        ? value(i, tuple.items().get(i))
                        : null;
                if (value == null) {
                    return;
                }
                values.add(value);
            }
            all.add(values);
        }
        tuples.add(all);
    }

    /** The place in the key of the column that the expression is, -1 when it is anything else. */
    private int keyColumn(Expression expression) {
        int slot = scope.slot(expression);
        return slot < 0
                ? -1
                : schema.primaryKey().indexOf(schema.columns().get(slot).name());
    }

    private Type keyType(int key) {
        return schema.columns()
                .get(schema.indexOf(schema.primaryKey().get(key)))
                .type();
    }

    private OfColumn column(int key) {
        return columns.computeIfAbsent(key, fresh -> new OfColumn());
    }

    /** A value that does not depend on the row, as a value of the key column; null when it cannot be used. */
    private @Nullable KeyValue value(int key, Expression expression) {
        if (mentionsUnknownColumn(expression)) {
            return null;
        }
        Typed typed = queries.expressions().bind(expression, scope);
        return typed.fixed() && !Types.isNullable(typed.type().unwrapped()) ? KeyValue.of(typed, keyType(key)) : null;
    }

    /** In a join the other side may stand for a column of another table, which is no fixed value. */
    private boolean mentionsUnknownColumn(Expression expression) {
        if (expression instanceof Expression.Name name) {
            return scope.slot(name) < 0;
        }
        if (expression instanceof Expression.Member member && member.of() instanceof Expression.Name name) {
            return scope.slot(member) < 0 && scope.slot(name) < 0;
        }
        if (expression instanceof Expression.Binary binary) {
            return mentionsUnknownColumn(binary.left()) || mentionsUnknownColumn(binary.right());
        }
        if (expression instanceof Expression.Unary unary) {
            return mentionsUnknownColumn(unary.operand());
        }
        if (expression instanceof Expression.Cast cast) {
            return mentionsUnknownColumn(cast.operand());
        }
        if (expression instanceof Expression.Member member) {
            return mentionsUnknownColumn(member.of());
        }
        if (expression instanceof Expression.Call call) {
            return call.arguments().stream().anyMatch(argument -> mentionsUnknownColumn(argument.value()));
        }
        // Anything more involved is read without the help of the key.
        return !(expression instanceof Expression.Literal
                || expression instanceof Expression.Variable
                || expression instanceof Expression.Subquery);
    }
}
