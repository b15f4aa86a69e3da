package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.value.Just;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.Type.Primitive;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.syntax.Position;
import io.aardappel.emulator.query.value.Casts;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Resolves names and types of expressions. */
final class ExpressionBinder {
    private final Globals globals;
    private final QueryBinder queries;
    private final Operators operators = new Operators(this);
    private final Functions functions = new Functions(this);

    ExpressionBinder(Globals globals, QueryBinder queries) {
        this.globals = globals;
        this.queries = queries;
    }

    QueryBinder queries() {
        return queries;
    }

    Operators operators() {
        return operators;
    }

    Typed bind(Expression expression, Scope scope) {
        if (expression instanceof Expression.Literal literal) {
            return Typed.literal(literal);
        }
        if (expression instanceof Expression.Name name) {
            return column(name, scope);
        }
        if (expression instanceof Expression.Variable variable) {
            return variable(variable, scope);
        }
        if (expression instanceof Expression.Member member) {
            return member(member, scope);
        }
        if (expression instanceof Expression.Binary binary) {
            return operators.binary(binary, scope);
        }
        if (expression instanceof Expression.Unary unary) {
            return operators.unary(unary, scope);
        }
        if (expression instanceof Expression.In in) {
            return operators.in(in, scope);
        }
        if (expression instanceof Expression.Between between) {
            return operators.between(between, scope);
        }
        if (expression instanceof Expression.IsNull isNull) {
            return operators.isNull(isNull, scope);
        }
        if (expression instanceof Expression.Like like) {
            return Patterns.like(this, like, scope);
        }
        if (expression instanceof Expression.Call call) {
            return functions.call(call, scope);
        }
        if (expression instanceof Expression.Cast cast) {
            return cast(cast, scope);
        }
        if (expression instanceof Expression.Case choice) {
            return operators.choice(choice, scope);
        }
        return rarer(expression, scope);
    }

    private Typed rarer(Expression expression, Scope scope) {
        if (expression instanceof Expression.Nothing nothing) {
            return Typed.constant(nothing.type().nullable(), null);
        }
        if (expression instanceof Expression.Tuple tuple) {
            List<Typed> items = bindAll(tuple.items(), scope);
            return gather(new Type.Tuple(items.stream().map(Typed::type).toList()), items);
        }
        if (expression instanceof Expression.ListOf list) {
            return list(list.at(), bindAll(list.items(), scope));
        }
        if (expression instanceof Expression.Struct struct) {
            return struct(struct.names(), bindAll(struct.items(), scope));
        }
        if (expression instanceof Expression.Dict dict) {
            return dict(dict, scope);
        }
        if (expression instanceof Expression.Index index) {
            return functions.index(index, scope);
        }
        if (expression instanceof Expression.Apply apply) {
            return apply(apply, scope);
        }
        if (expression instanceof Expression.Subquery subquery) {
            return queries.scalar(subquery.query());
        }
        if (expression instanceof Expression.Exists exists) {
            return queries.exists(exists.query());
        }
        throw expression.at().error("A lambda cannot stand here");
    }

    List<Typed> bindAll(List<Expression> expressions, Scope scope) {
        List<Typed> all = new ArrayList<>(expressions.size());
        for (Expression expression : expressions) {
            all.add(bind(expression, scope));
        }
        return all;
    }

    private static Typed column(Expression.Name name, Scope scope) {
        Typed column = scope.column(name.at(), null, name.name());
        if (column == null) {
            throw missing(name.at(), name.name(), scope);
        }
        return column;
    }

    private static RuntimeException missing(Position at, String name, Scope scope) {
        return scope.columns().isEmpty()
                ? at.error("Column references are not allowed without FROM: " + name)
                : at.error("Member not found: " + name);
    }

    private Typed variable(Expression.Variable variable, Scope scope) {
        Typed local = scope.local(variable.name());
        if (local != null) {
            return local;
        }
        Globals.Named named = globals.named(variable.name());
        if (named != null) {
            return named(named);
        }
        Globals.Given given = globals.given(variable.name());
        if (given == null) {
            throw variable.at().error("Unknown name: " + variable.name());
        }
        if (given.missing()) {
            throw variable.at().error(Status.BAD_REQUEST, 0, "Missing value for parameter: " + variable.name());
        }
        return Typed.constant(given.type(), given.value());
    }

    private Typed named(Globals.Named named) {
        ExpressionBinder binder = queries.with(named.globals()).expressions();
        Typed value = binder.bind(named.expression(), Scope.EMPTY);
        if (value.literal() != null) {
            return value;
        }
        return Typed.of(
                value.type(),
                true,
                frame -> frame.run.once(named, () -> value.eval().of(new Frame(frame.run))));
    }

    private Typed member(Expression.Member member, Scope scope) {
        if (member.of() instanceof Expression.Name source
                && scope.hasSource(source.name())
                && scope.column(source.at(), null, source.name()) == null) {
            Typed column = scope.column(member.at(), source.name(), member.name());
            if (column == null) {
                throw missing(member.at(), source.name() + "." + member.name(), scope);
            }
            return column;
        }
        Typed of = bind(member.of(), scope);
        Type type = of.type().unwrapped();
        int index = -1;
        Type found = Type.Unit.VOID;
        if (type instanceof Type.Struct struct) {
            index = struct.indexOf(member.name());
            found = index < 0 ? found : struct.members().get(index).type();
        } else if (type instanceof Type.Tuple tuple && member.name().chars().allMatch(Character::isDigit)) {
            index = member.name().length() > 4 ? -1 : Integer.parseInt(member.name());
            index = index >= tuple.items().size() ? -1 : index;
            found = index < 0 ? found : tuple.items().get(index);
        }
        if (index < 0) {
            throw member.at().error("Member not found: " + member.name() + " in " + Types.show(of.type()));
        }
        int slot = index;
        Eval eval = of.eval();
        return Typed.of(of.nullable() ? found.nullable() : found, of.fixed(), frame -> {
            Object value = eval.of(frame);
            return value == null ? null : ((List<?>) value).get(slot);
        });
    }

    private Typed cast(Expression.Cast cast, Scope scope) {
        Typed operand = bind(cast.operand(), scope);
        Conversion conversion = Casts.of(operand.type(), cast.type());
        if (conversion == null) {
            throw cast.at()
                    .error("Cannot cast type " + Types.show(operand.type()) + " into " + Types.show(cast.type()));
        }
        return operand.then(conversion);
    }

    /** A tuple or struct of the values, in this order. */
    static Typed gather(Type type, List<Typed> items) {
        Eval[] evals = items.stream().map(Typed::eval).toArray(Eval[]::new);
        boolean fixed = items.stream().allMatch(Typed::fixed);
        return Typed.of(type, fixed, frame -> values(evals, frame));
    }

    private static List<@Nullable Object> values(Eval[] evals, Frame frame) {
        List<@Nullable Object> values = new ArrayList<>(evals.length);
        for (Eval eval : evals) {
            values.add(eval.of(frame));
        }
        return values;
    }

    static Typed struct(List<String> names, List<Typed> items) {
        List<Type.Member> members = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            members.add(new Type.Member(names.get(i), items.get(i).type()));
        }
        return gather(new Type.Struct(members), items);
    }

    /** A list of the values in their common type. */
    Typed list(Position at, List<Typed> items) {
        if (items.isEmpty()) {
            return Typed.constant(Type.Unit.EMPTY_LIST, List.of());
        }
        Type common = commonType(at, items);
        return gather(
                new Type.ListOf(common),
                items.stream().map(item -> as(at, item, common)).toList());
    }

    /** The type that all of them have or can have. Literals give way to values of other origin. */
    Type commonType(Position at, List<Typed> items) {
        Type common = null;
        for (Typed item : items) {
            Type next = common == null ? item.type() : Types.common(common, item.type());
            if (next == null) {
                throw at.error("Incompatible types: " + Types.show(Objects.requireNonNull(common)) + " and "
                        + Types.show(item.type()));
            }
            common = next;
        }
        Type result = Objects.requireNonNull(common);
        for (Typed item : items) {
            boolean allFit = item.literal() == null
                    && items.stream().allMatch(other -> other.as(item.type().nullable()) != null);
            if (allFit) {
                boolean nullable = items.stream().anyMatch(Typed::nullable);
                return nullable ? item.type().nullable() : item.type();
            }
        }
        return result;
    }

    /** The value in the common type; signed and unsigned integers of one width are taken bit by bit, as in YQL. */
    Typed as(Position at, Typed item, Type common) {
        Typed converted = item.as(common);
        if (converted != null) {
            return converted;
        }
        Conversion cast = Casts.of(item.type(), common.unwrapped());
        if (cast == null) {
            throw at.error("Cannot convert type " + Types.show(item.type()) + " into " + Types.show(common));
        }
        return new Typed(common, item.then(cast).eval(), item.fixed(), null);
    }

    private Typed dict(Expression.Dict dict, Scope scope) {
        if (dict.keys().isEmpty()) {
            return Typed.constant(Type.Unit.EMPTY_DICT, Map.of());
        }
        Typed keys = list(dict.at(), bindAll(dict.keys(), scope));
        Typed payloads = list(dict.at(), bindAll(dict.payloads(), scope));
        Type type = new Type.Dict(((Type.ListOf) keys.type()).item(), ((Type.ListOf) payloads.type()).item());
        return Typed.of(type, keys.fixed() && payloads.fixed(), frame -> {
            List<?> names = (List<?>) Objects.requireNonNull(keys.eval().of(frame));
            List<?> values = (List<?>) Objects.requireNonNull(payloads.eval().of(frame));
            Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                map.put(names.get(i), values.get(i));
            }
            return map;
        });
    }

    /** The lambda that an expression is or names, null when it is none. */
    @Nullable
    Lambda lambda(Expression expression, Scope scope) {
        if (expression instanceof Expression.Lambda lambda) {
            return new Lambda(lambda, this, scope);
        }
        if (expression instanceof Expression.Variable variable) {
            Globals.Named named = globals.named(variable.name());
            return named != null && named.expression() instanceof Expression.Lambda lambda
                    ? new Lambda(lambda, queries.with(named.globals()).expressions(), Scope.EMPTY)
                    : null;
        }
        return null;
    }

    /** A lambda with the place where its free names are looked up. */
    record Lambda(Expression.Lambda syntax, ExpressionBinder binder, Scope scope) {
        /** The body for arguments of these types; evaluate it by {@link Frame#with} once for each argument. */
        Typed body(Position at, List<Type> arguments) {
            if (arguments.size() != syntax.parameters().size()) {
                throw at.error(
                        "The lambda takes " + syntax.parameters().size() + " arguments, not " + arguments.size());
            }
            Scope inner = scope;
            for (int i = 0; i < arguments.size(); i++) {
                inner = inner.with(syntax.parameters().get(i), arguments.get(i));
            }
            return binder.block(syntax, 0, inner);
        }
    }

    private Typed block(Expression.Lambda lambda, int next, Scope scope) {
        if (next == lambda.assignments().size()) {
            return bind(lambda.result(), scope);
        }
        Expression.Assignment assignment = lambda.assignments().get(next);
        Typed value = bind(assignment.value(), scope);
        Typed rest = block(lambda, next + 1, scope.with(assignment.name(), value.type()));
        return Typed.of(rest.type(), false, frame -> frame.with(value.eval().of(frame), rest.eval()));
    }

    @SuppressWarnings("ReferenceEquality") // there is one empty scope
    private Typed apply(Expression.Apply apply, Scope scope) {
        Lambda lambda = lambda(apply.callee(), scope);
        if (lambda == null) {
            return format(apply, scope);
        }
        List<Typed> arguments = new ArrayList<>();
        for (Expression.Argument argument : apply.arguments()) {
            arguments.add(bind(argument.value(), scope));
        }
        Typed body = lambda.body(apply.at(), arguments.stream().map(Typed::type).toList());
        boolean outside = lambda.scope() == Scope.EMPTY;
        return Typed.of(body.type(), false, frame -> {
            Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments.get(i).eval().of(frame);
            }
            Frame inner = outside ? new Frame(frame.run) : frame;
            return call(inner, values, 0, body.eval());
        });
    }

    /** {@code $format(x)} where {@code $format = DateTime::Format('...')}, or the same without a name. */
    private Typed format(Expression.Apply apply, Scope scope) {
        Expression callee = apply.callee();
        if (callee instanceof Expression.Variable variable) {
            Globals.Named named = globals.named(variable.name());
            callee = named == null ? callee : named.expression();
        }
        if (callee instanceof Expression.Call call
                && call.name().equalsIgnoreCase("DateTime::Format")
                && call.arguments().size() == 1
                && apply.arguments().size() == 1) {
            Typed value = bind(apply.arguments().get(0).value(), scope);
            return TimeFormat.apply(call.at(), call.arguments().get(0).value(), value);
        }
        throw apply.at().error("Only a lambda can be called");
    }

    private static @Nullable Object call(Frame frame, @Nullable Object[] values, int next, Eval body) {
        return next == values.length
                ? body.of(frame)
                : frame.with(values[next], inner -> call(inner, values, next + 1, body));
    }

    /** A condition: Bool, optional or not. */
    Typed condition(Expression expression, Scope scope) {
        Typed condition = bind(expression, scope);
        if (condition.type().unwrapped() != Primitive.BOOL && condition.type() != Type.Unit.NULL) {
            throw expression.at().error("Expected Bool, but got: " + Types.show(condition.type()));
        }
        return condition;
    }

    /** A value of an optional type from a present one. */
    static @Nullable Object wrap(Type item, @Nullable Object value) {
        return item instanceof Type.Optional ? new Just(value) : value;
    }

    /** The item of a value of an optional type that is present. */
    static @Nullable Object unwrap(Object value) {
        return value instanceof Just just ? just.value() : value;
    }
}
