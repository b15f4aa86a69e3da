package io.aardappel.e2e.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.ValueProtos;

/** The rows of one table by key, each value in a form in which equal values are equal whatever their spelling. */
final class Rows {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private final SourceTable table;
    private final List<SourceTable.Column> columns;
    private final List<@Nullable Object> cameWith = new ArrayList<>();
    private final Map<String, List<@Nullable Object>> byKey = new TreeMap<>();

    /** @param columns those of the table when it was read, the key's first */
    Rows(SourceTable table, List<SourceTable.Column> columns) {
        this(table, columns, List.of());
    }

    /** @param cameWith by column, what rows hold that nothing was written to since the column was added */
    Rows(SourceTable table, List<SourceTable.Column> columns, List<ValueProtos.Value> cameWith) {
        this.table = table;
        this.columns = columns;
        for (int i = 0; i < cameWith.size(); i++) {
            this.cameWith.add(canonical(columns.get(i).type(), cameWith.get(i)));
        }
    }

    /** Values by column, key columns included; null flags as they come over the wire. */
    void add(List<ValueProtos.Value> values) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            row.add(canonical(columns.get(i).type(), values.get(i)));
        }
        String key = String.valueOf(row.subList(0, table.keyColumns()));
        if (byKey.put(key, row) != null) {
            throw new IllegalStateException("table " + table.name() + " has two rows of key " + key);
        }
    }

    int size() {
        return byKey.size();
    }

    /** Names of columns that this has and the other has not. */
    Set<String> columnsWithout(Rows other) {
        Set<String> names = names();
        names.removeAll(other.names());
        return names;
    }

    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        columns.forEach(column -> names.add(column.name()));
        return names;
    }

    /**
     * What differs from the source's rows of the same moment, a line for each row and column, at most twenty lines;
     * empty when nothing does. A column counts by where it is at that moment:
     *
     * <ul>
     *   <li>at both sides: each row holds the same in it, whether it was written since the column came or not. A
     *       default is a value like any other: both sides give it to the rows that were there before the column.
     *   <li>at the source alone, which has got it and the replica not yet: no record that is applied may have carried
     *       it, so in each row of the source it holds what it came with, its default or NULL. The replica's rows get
     *       the same when the column is added there, whatever they missed meanwhile.
     *   <li>at the replica alone, because the source has it not yet, or no more: nothing, the source says nothing of
     *       it. One that is to come is compared from the first checkpoint on that lies above its coming; then rows
     *       that were written before must hold the default too.
     * </ul>
     */
    List<String> differences(Rows source) {
        List<String> names = columns.stream().map(SourceTable.Column::name).toList();
        int[] here = source.columns.stream()
                .mapToInt(column -> names.indexOf(column.name()))
                .toArray();
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<@Nullable Object>> entry : source.byKey.entrySet()) {
            List<@Nullable Object> mine = byKey.get(entry.getKey());
            if (mine == null) {
                lines.add("%s: row %s is missing".formatted(table.name(), entry.getKey()));
                continue;
            }
            for (int i = 0; i < here.length; i++) {
                Object had = entry.getValue().get(i);
                if (here[i] >= 0 && !Objects.equals(mine.get(here[i]), had)) {
                    lines.add("%s: row %s column %s is %s, source had %s"
                            .formatted(table.name(), entry.getKey(), names.get(here[i]), mine.get(here[i]), had));
                } else if (here[i] < 0 && !Objects.equals(source.cameWith.get(i), had)) {
                    lines.add("%s: row %s has no column %s, source had %s in it and had added it with %s"
                            .formatted(
                                    table.name(),
                                    entry.getKey(),
                                    source.columns.get(i).name(),
                                    had,
                                    source.cameWith.get(i)));
                }
            }
        }
        for (String key : byKey.keySet()) {
            if (!source.byKey.containsKey(key)) {
                lines.add("%s: row %s is not in the source".formatted(table.name(), key));
            }
        }
        return lines.size() > 20 ? lines.subList(0, 20) : lines;
    }

    private static @Nullable Object canonical(ColumnType type, ValueProtos.Value value) {
        if (value.getValueCase() == ValueProtos.Value.ValueCase.NULL_FLAG_VALUE) {
            return null;
        }
        return switch (type) {
            case JSON, JSON_DOCUMENT -> json(value.getTextValue());
            case YSON -> YsonText.parse(value.getBytesValue().toStringUtf8());
            case FLOAT -> Float.floatToIntBits(value.getFloatValue());
            case DOUBLE -> Double.doubleToLongBits(value.getDoubleValue());
            case DECIMAL, DECIMAL_WIDE, UUID_TYPE -> value.getHigh128() + ":" + value.getLow128();
            default -> plain(value);
        };
    }

    private static Object plain(ValueProtos.Value value) {
        return switch (value.getValueCase()) {
            case BOOL_VALUE -> value.getBoolValue();
            case INT32_VALUE -> value.getInt32Value();
            case UINT32_VALUE -> value.getUint32Value();
            case INT64_VALUE -> value.getInt64Value();
            case UINT64_VALUE -> value.getUint64Value();
            case TEXT_VALUE -> value.getTextValue();
            case BYTES_VALUE -> value.getBytesValue().toString(StandardCharsets.ISO_8859_1);
            default -> value.toString();
        };
    }

    private static Object json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not JSON: " + text, e);
        }
    }
}
