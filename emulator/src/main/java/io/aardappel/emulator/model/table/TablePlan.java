package io.aardappel.emulator.model.table;

import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.model.value.ValueDomain;
import io.aardappel.emulator.model.value.ValueOrder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks what CREATE and ALTER TABLE ask for, and computes shapes and shard borders; changes nothing. */
final class TablePlan {
    private TablePlan() {}

    static TableSchema schemaOf(TableSpec spec, Limits limits) {
        if (spec.primaryKey().isEmpty()) {
            throw refused("Table must have at least one key column: " + spec.path());
        }
        if (spec.columns().size() > limits.columns()) {
            throw tooMany("Too many columns. Limit: " + limits.columns());
        }
        if (spec.primaryKey().size() > limits.keyColumns()) {
            throw tooMany("Too many key columns. Limit: " + limits.keyColumns());
        }
        Set<String> names = new HashSet<>();
        for (Column column : spec.columns()) {
            checkColumn(column, limits);
            if (!names.add(column.name())) {
                throw refused("Column with name '" + column.name() + "' already exists");
            }
        }
        TableSchema schema = new TableSchema(spec.path(), 1, spec.columns(), spec.primaryKey());
        checkKey(schema);
        return schema;
    }

    static Layout withColumn(Layout layout, Column column, Limits limits) {
        if (layout.schema().indexOf(column.name()) >= 0) {
            throw refused("Column with name '" + column.name() + "' already exists");
        }
        if (layout.schema().columns().size() >= limits.columns()) {
            throw tooMany("Too many columns. Limit: " + limits.columns());
        }
        checkColumn(column, limits);
        if (column.notNull() && column.defaultValue() == null) {
            throw refused("Cannot add not null column without default value: " + column.name());
        }
        return layout.withColumn(column);
    }

    static Layout withoutColumn(Layout layout, String name) {
        int ordinal = layout.schema().indexOf(name);
        if (ordinal < 0) {
            throw new YdbException(Status.SCHEME_ERROR, Issue.of(Issue.SCHEME, "Column '" + name + "' does not exist"));
        }
        if (layout.isKey(ordinal)) {
            throw refused("Can't drop key column: '" + name + "'");
        }
        return layout.withoutColumn(ordinal);
    }

    /** First keys of the shards, null for the first. */
    static List<@Nullable List<@Nullable Object>> borders(TableSchema schema, TableSpec.Partitioning partitioning) {
        List<@Nullable List<@Nullable Object>> borders = new ArrayList<>();
        borders.add(null);
        if (partitioning.uniform() > 1) {
            Type first = keyType(schema, 0);
            if (first != Type.Primitive.UINT64 && first != Type.Primitive.UINT32) {
                throw refused("Column '" + schema.primaryKey().get(0)
                        + "' of UNIFORM_PARTITIONS must be Uint32 or Uint64, it is " + first);
            }
            int bits = first == Type.Primitive.UINT64 ? 64 : 32;
            for (int i = 1; i < partitioning.uniform(); i++) {
                BigInteger at = BigInteger.ONE
                        .shiftLeft(bits)
                        .multiply(BigInteger.valueOf(i))
                        .divide(BigInteger.valueOf(partitioning.uniform()));
                borders.add(List.of(at.longValue()));
            }
        } else {
            partitioning.atKeys().forEach(key -> borders.add(borderKey(schema, key)));
        }
        checkRising(schema, borders);
        return borders;
    }

    /** Whether an explicit number of topic partitions is allowed without auto partitioning. */
    static boolean firstKeyIsUnsigned(TableSchema schema) {
        Type first = keyType(schema, 0);
        return first == Type.Primitive.UINT32 || first == Type.Primitive.UINT64;
    }

    private static List<@Nullable Object> borderKey(TableSchema schema, List<@Nullable Object> key) {
        if (key.isEmpty() || key.size() > schema.primaryKey().size()) {
            throw refused(
                    "PARTITION_AT_KEYS: a key has 1 to " + schema.primaryKey().size() + " values, got " + key.size());
        }
        List<@Nullable Object> kept = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            Object value = key.get(i);
            kept.add(value == null ? null : ValueDomain.canonical(keyType(schema, i), value));
        }
        return kept;
    }

    private static void checkRising(TableSchema schema, List<@Nullable List<@Nullable Object>> borders) {
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < schema.primaryKey().size(); i++) {
            types.add(keyType(schema, i));
        }
        Comparator<List<@Nullable Object>> order = ValueOrder.ofKeys(types);
        for (int i = 2; i < borders.size(); i++) {
            List<@Nullable Object> low = borders.get(i - 1);
            List<@Nullable Object> high = borders.get(i);
            if (low != null && high != null && order.compare(low, high) >= 0) {
                throw refused("Partition ranges are not sorted at index " + (i - 1));
            }
        }
    }

    private static Type keyType(TableSchema schema, int index) {
        return schema.columns()
                .get(schema.indexOf(schema.primaryKey().get(index)))
                .type();
    }

    private static void checkKey(TableSchema schema) {
        Set<String> seen = new HashSet<>();
        for (String name : schema.primaryKey()) {
            int ordinal = schema.indexOf(name);
            if (ordinal < 0) {
                throw new YdbException(
                        Status.SCHEME_ERROR,
                        Issue.of(Issue.SCHEME, "Unknown column '" + name + "' specified in key column list"));
            }
            if (!seen.add(name)) {
                throw refused("Column '" + name + "' specified more than once in key column list");
            }
            Type type = schema.columns().get(ordinal).type();
            if (!ValueOrder.canBeKey(type)) {
                throw refused("Column '" + name + "' has wrong key type " + type);
            }
        }
    }

    private static void checkColumn(Column column, Limits limits) {
        if (column.name().isEmpty() || column.name().length() > limits.nameLength()) {
            throw refused("Invalid name for column '" + column.name() + "'");
        }
        if (!storable(column.type())) {
            throw refused("Type '" + column.type() + "' specified for column '" + column.name()
                    + "' is not supported by storage");
        }
        Object value = column.defaultValue();
        if (value != null) {
            WriteCheck.admitValue(column, value, limits);
        }
    }

    private static boolean storable(Type type) {
        if (type instanceof Type.Decimal) {
            return true;
        }
        return type instanceof Type.Primitive primitive
                && switch (primitive) {
                    case TZ_DATE, TZ_DATETIME, TZ_TIMESTAMP -> false;
                    default -> true;
                };
    }

    private static YdbException refused(String message) {
        return new YdbException(Status.BAD_REQUEST, message);
    }

    private static YdbException tooMany(String message) {
        return new YdbException(Status.GENERIC_ERROR, message);
    }
}
