package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.syntax.Expression;
import io.aardappel.emulator.query.value.Conversion;
import io.aardappel.emulator.query.value.Conversions;
import io.aardappel.emulator.query.value.Types;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names with a dollar sign: parameters and, as far as the text has come, named expressions. */
final class Globals {
    /**
     * A parameter as given.
     *
     * @param missing true when the text declares it but the request has no value for it
     */
    record Given(Type type, @Nullable Object value, boolean missing) {
        Given(Type type, @Nullable Object value) {
            this(type, value, false);
        }
    }

    /** Stands for the value of a declared parameter that was not given. */
    private enum Missing {
        VALUE
    }

    /** @param globals what the expression itself may name */
    record Named(Expression expression, Globals globals) {}

    private final Map<String, Given> given;
    private final Map<String, Named> named;

    private Globals(Map<String, Given> given, Map<String, Named> named) {
        this.given = given;
        this.named = named;
    }

    static Globals of(Map<String, Given> parameters) {
        return new Globals(new HashMap<>(parameters), Map.of());
    }

    /** From here on the name stands for this expression. */
    Globals assign(String name, Expression expression) {
        Map<String, Named> more = new HashMap<>(named);
        more.put(name, new Named(expression, this));
        return new Globals(given, more);
    }

    @Nullable
    Named named(String name) {
        return named.get(name);
    }

    @Nullable
    Given given(String name) {
        Given value = given.get(name);
        if (value != null && value.value() == Missing.VALUE) {
            throw new YdbException(Status.BAD_REQUEST, "Missing value for parameter: " + name);
        }
        return value;
    }

    /** Holds a parameter to what the text declares; members of structs are matched by name. */
    void declare(String name, Type type) {
        Given value = given.get(name);
        if (value == null) {
            // Refused where it is used, for the text may give the name to an expression before that.
            given.put(name, new Given(type, type instanceof Type.Optional ? null : Missing.VALUE));
            return;
        }
        if (value.type().equals(type)) {
            return;
        }
        Conversion conversion = sameButForOrder(value.type(), type) ? Conversions.implicit(value.type(), type) : null;
        if (conversion == null) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    "Parameter " + name + " type mismatch, expected: " + Types.show(type) + ", actual: "
                            + Types.show(value.type()));
        }
        given.put(name, new Given(type, conversion.step().apply(value.value())));
    }

    private static boolean sameButForOrder(Type a, Type b) {
        if (a instanceof Type.Optional x && b instanceof Type.Optional y) {
            return sameButForOrder(x.item(), y.item());
        }
        if (a instanceof Type.ListOf x && b instanceof Type.ListOf y) {
            return sameButForOrder(x.item(), y.item());
        }
        if (a == Type.Unit.EMPTY_LIST && b instanceof Type.ListOf) {
            return true;
        }
        if (a instanceof Type.Tuple x
                && b instanceof Type.Tuple y
                && x.items().size() == y.items().size()) {
            for (int i = 0; i < x.items().size(); i++) {
                if (!sameButForOrder(x.items().get(i), y.items().get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof Type.Struct x && b instanceof Type.Struct y) {
            return x.members().size() == y.members().size()
                    && y.members().stream().allMatch(member -> {
                        int index = x.indexOf(member.name());
                        return index >= 0
                                && sameButForOrder(x.members().get(index).type(), member.type());
                    });
        }
        return a.equals(b);
    }
}
