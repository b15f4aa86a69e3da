package io.aardappel.replicator.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;

/**
 * What a destination table looks like, as its description said when it was read. A column's ordinal is its index in
 * {@link #columns}, where columns that were dropped since the first description keep their place; {@code Columns} and parameters speak of columns by ordinal. Immutable; equal when the tables are
 * described alike.
 */
public final class TableShape {

    /**
     * One column.
     *
     * @param notNull the column refuses NULL
     * @param hasDefault a row written without the column gets a value from the table (a literal or a sequence)
     */
    public record Column(String name, YdbType type, boolean notNull, boolean hasDefault) {

        /** A column as the server describes it, where an optional type says nullable. */
        public static Column described(String name, Type type, boolean hasDefault) {
            return new Column(name, YdbType.of(type), !type.hasOptionalType(), hasDefault);
        }

        /** The type that a parameter for the column has: optional exactly when the column is nullable. */
        public Type parameterType() {
            return notNull
                    ? type.proto()
                    : Type.newBuilder()
                            .setOptionalType(OptionalType.newBuilder().setItem(type.proto()))
                            .build();
        }
    }

    private final String path;
    private final List<Column> columns;
    private final List<Integer> keyOrdinals;
    private final Set<Integer> dropped;
    private final Map<String, Integer> ordinals = new HashMap<>();

    /**
     * @param path absolute path of the table
     * @param keyColumns names of the primary key's columns in key order
     * @throws IllegalArgumentException when a key column is not among the columns or two columns share a name
     */
    public TableShape(String path, List<Column> columns, List<String> keyColumns) {
        this(path, columns, keyColumns, Set.of());
    }

    private TableShape(String path, List<Column> columns, List<String> keyColumns, Set<Integer> dropped) {
        this.path = path;
        this.columns = List.copyOf(columns);
        this.dropped = Set.copyOf(dropped);
        for (int i = 0; i < columns.size(); i++) {
            if (!dropped.contains(i) && ordinals.put(columns.get(i).name(), i) != null) {
                throw new IllegalArgumentException(
                        path + ": two columns named " + columns.get(i).name());
            }
        }
        this.keyOrdinals = keyColumns.stream().map(this::keyOrdinal).toList();
    }

    private Integer keyOrdinal(String name) {
        Integer ordinal = ordinals.get(name);
        if (ordinal == null) {
            throw new IllegalArgumentException(path + ": key column " + name + " is not a column");
        }
        return ordinal;
    }

    /**
     * The shape of this same table as newly described, with the ordinals of this shape: a column that was there keeps its
     * ordinal, new ones follow. A column that is gone keeps its place too but is not found by name any more, so that what
     * was decoded for it is refused by the server and not written elsewhere. Equal to this when nothing changed.
     */
    public TableShape evolveTo(TableShape described) {
        List<Column> evolved = new ArrayList<>(columns);
        Set<Integer> gone = new HashSet<>();
        for (int i = 0; i < columns.size(); i++) {
            int now = described.ordinal(columns.get(i).name());
            if (now >= 0 && !dropped.contains(i)) {
                evolved.set(i, described.column(now));
            } else {
                gone.add(i);
            }
        }
        for (Column column : described.columns) {
            if (ordinal(column.name()) < 0) {
                evolved.add(column);
            }
        }
        List<String> keys = described.keyOrdinals.stream()
                .map(ordinal -> described.column(ordinal).name())
                .toList();
        return new TableShape(path, evolved, keys, gone);
    }

    /** Whether the column with this ordinal is no longer in the table; see {@link #evolveTo}. */
    public boolean isDropped(int ordinal) {
        return dropped.contains(ordinal);
    }

    public String path() {
        return path;
    }

    public List<Column> columns() {
        return columns;
    }

    /** Ordinals of the primary key's columns, in key order. */
    public List<Integer> keyOrdinals() {
        return keyOrdinals;
    }

    public Column column(int ordinal) {
        return columns.get(ordinal);
    }

    /** The ordinal of the column with exactly this name, or -1. */
    public int ordinal(String name) {
        return ordinals.getOrDefault(name, -1);
    }

    public boolean isKey(int ordinal) {
        return keyOrdinals.contains(ordinal);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TableShape shape
                && path.equals(shape.path)
                && columns.equals(shape.columns)
                && keyOrdinals.equals(shape.keyOrdinals)
                && dropped.equals(shape.dropped);
    }

    @Override
    public int hashCode() {
        return 31 * path.hashCode() + columns.hashCode();
    }

    @Override
    public String toString() {
        return path + columns + " key " + keyOrdinals;
    }
}
