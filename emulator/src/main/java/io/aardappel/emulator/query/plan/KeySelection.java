package io.aardappel.emulator.query.plan;

import io.aardappel.emulator.model.table.KeyRange;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.ValueOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keys to read, in key order and without overlap.
 *
 * @param points full keys, in which case there are no ranges
 */
record KeySelection(List<List<@Nullable Object>> points, List<KeyRange> ranges) {
    /** More alternatives than this are read as a range and filtered. */
    private static final int POINTS_MAX = 10_000;

    boolean feed(Run run, TableSchema schema, boolean reverse, Relation.Sink sink) {
        Transaction transaction = run.transaction();
        for (List<@Nullable Object> point : ordered(points, reverse)) {
            @Nullable Object[] row = transaction.get(schema, point);
            if (row != null && !sink.row(row)) {
                return false;
            }
        }
        boolean[] wanted = {true};
        for (KeyRange range : ordered(ranges, reverse)) {
            transaction.scan(schema, range, reverse, row -> {
                wanted[0] = sink.row(row);
                return wanted[0];
            });
            if (!wanted[0]) {
                return false;
            }
        }
        return true;
    }

    private static <T> List<T> ordered(List<T> items, boolean reverse) {
        if (!reverse || items.size() < 2) {
            return items;
        }
        List<T> reversed = new ArrayList<>(items);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Makes a selection of conditions, once their values are known. */
    static final class Builder {
        private final TableSchema schema;
        private final Map<Integer, KeyConditions.OfColumn> columns;
        private final List<List<List<KeyValue>>> tuples;
        private final List<KeyConditions.TupleBound> above;
        private final List<KeyConditions.TupleBound> below;

        Builder(
                TableSchema schema,
                Map<Integer, KeyConditions.OfColumn> columns,
                List<List<List<KeyValue>>> tuples,
                List<KeyConditions.TupleBound> above,
                List<KeyConditions.TupleBound> below) {
            this.schema = schema;
            this.columns = columns;
            this.tuples = tuples;
            this.above = above;
            this.below = below;
        }

        KeySelection build(Frame frame) {
            List<Type> types = schema.primaryKey().stream()
                    .map(name -> schema.columns().get(schema.indexOf(name)).type())
                    .toList();
            SortedSet<List<@Nullable Object>> prefixes = new TreeSet<>(ValueOrder.ofKeys(types));
            prefixes.add(List.of());
            int length = 0;
            if (!tuples.isEmpty() && !columns.containsKey(0)) {
                prefixes = tuplePrefixes(frame, prefixes);
                length = tuples.get(0).isEmpty() ? 0 : tuples.get(0).get(0).size();
            }
            while (length < types.size()) {
                List<@Nullable Object> values = values(frame, length);
                if (values == null || (long) prefixes.size() * values.size() > POINTS_MAX) {
                    break;
                }
                prefixes = extend(prefixes, values);
                length++;
            }
            if (length == types.size()) {
                return new KeySelection(List.copyOf(prefixes), List.of());
            }
            List<KeyRange> ranges = new ArrayList<>();
            for (List<@Nullable Object> prefix : prefixes) {
                ranges.add(range(frame, prefix, columns.get(length)));
            }
            return new KeySelection(List.of(), ranges);
        }

        private SortedSet<List<@Nullable Object>> tuplePrefixes(Frame frame, SortedSet<List<@Nullable Object>> order) {
            SortedSet<List<@Nullable Object>> prefixes = new TreeSet<>(order.comparator());
            for (List<KeyValue> tuple : tuples.get(0)) {
                List<@Nullable Object> prefix = new ArrayList<>();
                for (KeyValue value : tuple) {
                    KeyValue.Known known = value.know(frame);
                    if (!known.isNull() && !known.isNone()) {
                        prefix.add(known.value());
                    }
                }
                if (prefix.size() == tuple.size()) {
                    prefixes.add(prefix);
                }
            }
            return prefixes;
        }

        private static SortedSet<List<@Nullable Object>> extend(
                SortedSet<List<@Nullable Object>> prefixes, List<@Nullable Object> values) {
            SortedSet<List<@Nullable Object>> longer = new TreeSet<>(prefixes.comparator());
            for (List<@Nullable Object> prefix : prefixes) {
                for (Object value : values) {
                    List<@Nullable Object> key = new ArrayList<>(prefix);
                    key.add(value);
                    longer.add(key);
                }
            }
            return longer;
        }

        /** The only values that a key column may have, null when any is possible. */
        private @Nullable List<@Nullable Object> values(Frame frame, int key) {
            KeyConditions.OfColumn column = columns.get(key);
            if (column == null) {
                return null;
            }
            if (column.isNull) {
                return Collections.singletonList(null);
            }
            if (!column.equal.isEmpty()) {
                // The shortest list reads least; the filter sees to the others.
                List<KeyValue> shortest = Collections.min(column.equal, (a, b) -> Integer.compare(a.size(), b.size()));
                return usable(shortest.stream().map(value -> value.know(frame)).toList());
            }
            return column.sets.isEmpty() ? null : usable(column.sets.get(0).know(frame));
        }

        /** Null is equal to nothing, and so is a value that the column's type does not have. */
        private static List<@Nullable Object> usable(List<KeyValue.Known> known) {
            List<@Nullable Object> values = new ArrayList<>();
            for (KeyValue.Known value : known) {
                if (!value.isNull() && !value.isNone()) {
                    values.add(value.value());
                }
            }
            return values;
        }

        private KeyRange range(Frame frame, List<@Nullable Object> prefix, KeyConditions.@Nullable OfColumn next) {
            Bound from = lower(frame, prefix, next);
            Bound to = upper(frame, prefix, next);
            return new KeyRange(from.key(), from.inclusive(), to.key(), to.inclusive());
        }

        private record Bound(@Nullable List<@Nullable Object> key, boolean inclusive) {}

        private Bound lower(Frame frame, List<@Nullable Object> prefix, KeyConditions.@Nullable OfColumn next) {
            if (next != null) {
                for (int i = 0; i < next.above.size(); i++) {
                    KeyValue.Known known = next.above.get(i).know(frame);
                    if (!known.isNull() && !known.isNone()) {
                        return new Bound(append(prefix, known.value()), next.aboveInclusive.get(i));
                    }
                }
            }
            Bound tuple = prefix.isEmpty() ? tupleBound(frame, above) : null;
            return tuple != null ? tuple : new Bound(prefix.isEmpty() ? null : prefix, true);
        }

        private Bound upper(Frame frame, List<@Nullable Object> prefix, KeyConditions.@Nullable OfColumn next) {
            if (next != null) {
                for (int i = 0; i < next.below.size(); i++) {
                    KeyValue.Known known = next.below.get(i).know(frame);
                    if (!known.isNull() && !known.isNone()) {
                        return new Bound(append(prefix, known.value()), next.belowInclusive.get(i));
                    }
                }
            }
            Bound tuple = prefix.isEmpty() ? tupleBound(frame, below) : null;
            return tuple != null ? tuple : new Bound(prefix.isEmpty() ? null : prefix, true);
        }

        private static @Nullable Bound tupleBound(Frame frame, List<KeyConditions.TupleBound> bounds) {
            for (KeyConditions.TupleBound bound : bounds) {
                List<@Nullable Object> key = new ArrayList<>();
                for (KeyValue value : bound.values()) {
                    KeyValue.Known known = value.know(frame);
                    if (known.isNull() || known.isNone()) {
                        break;
                    }
                    key.add(known.value());
                }
                if (key.size() == bound.values().size()) {
                    return new Bound(key, bound.inclusive());
                }
                if (!key.isEmpty()) {
                    return new Bound(key, true); // the known part alone, both bounds taken in
                }
            }
            return null;
        }

        private static List<@Nullable Object> append(List<@Nullable Object> prefix, @Nullable Object value) {
            List<@Nullable Object> key = new ArrayList<>(prefix);
            key.add(value);
            return key;
        }
    }
}
