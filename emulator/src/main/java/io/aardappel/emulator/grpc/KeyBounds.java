package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.KeyRange;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.table.YdbTable;

/** Keys and ranges of keys in requests: tuples that name the key columns or the first few of them. */
final class KeyBounds {
    private KeyBounds() {}

    static List<Type> keyTypes(TableSchema table) {
        return table.primaryKey().stream()
                .map(name -> table.columns().get(table.indexOf(name)).type())
                .toList();
    }

    /** The values of a key or of its beginning; {@code what} names it in the refusal. */
    static List<@Nullable Object> tuple(String what, ValueProtos.TypedValue wire, List<Type> keyTypes) {
        TypedValue value = Queries.typedValue(what, wire);
        if (!(value.type() instanceof Type.Tuple tuple) || !(value.value() instanceof List<?> items)) {
            throw new YdbException(Status.BAD_REQUEST, what + " must be a tuple of key values, is " + value.type());
        }
        if (items.size() > keyTypes.size()) {
            throw new YdbException(
                    Status.BAD_REQUEST,
                    what + " has " + items.size() + " values, the key has " + keyTypes.size() + " columns");
        }
        for (int i = 0; i < items.size(); i++) {
            Type given = tuple.items().get(i).unwrapped();
            if (!given.equals(keyTypes.get(i))) {
                throw new YdbException(
                        Status.BAD_REQUEST,
                        what + ": value " + (i + 1) + " is " + given + ", the key column holds " + keyTypes.get(i));
            }
        }
        return java.util.Collections.unmodifiableList(items);
    }

    static KeyRange range(YdbTable.KeyRange wire, TableSchema table) {
        List<Type> types = keyTypes(table);
        @Nullable
        List<@Nullable Object> from = switch (wire.getFromBoundCase()) {
            case GREATER -> tuple("Bound 'greater'", wire.getGreater(), types);
            case GREATER_OR_EQUAL -> tuple("Bound 'greater_or_equal'", wire.getGreaterOrEqual(), types);
            case FROMBOUND_NOT_SET -> null;
        };
        @Nullable
        List<@Nullable Object> to = switch (wire.getToBoundCase()) {
            case LESS -> tuple("Bound 'less'", wire.getLess(), types);
            case LESS_OR_EQUAL -> tuple("Bound 'less_or_equal'", wire.getLessOrEqual(), types);
            case TOBOUND_NOT_SET -> null;
        };
        return new KeyRange(from, !wire.hasGreater(), to, !wire.hasLess());
    }
}
