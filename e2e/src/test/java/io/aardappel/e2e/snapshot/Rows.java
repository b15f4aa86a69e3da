package io.aardappel.e2e.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final Map<String, List<@Nullable Object>> byKey = new TreeMap<>();

    Rows(SourceTable table) {
        this.table = table;
    }

    /** Values by column of the table, key columns included; null flags as they come over the wire. */
    void add(List<ValueProtos.Value> values) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            row.add(canonical(table.columns().get(i).type(), values.get(i)));
        }
        String key = String.valueOf(row.subList(0, table.keyColumns()));
        if (byKey.put(key, row) != null) {
            throw new IllegalStateException("table " + table.name() + " has two rows of key " + key);
        }
    }

    int size() {
        return byKey.size();
    }

    /** What differs, a line for each row and column, at most twenty lines; empty when nothing does. */
    List<String> differences(Rows expected) {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<@Nullable Object>> entry : expected.byKey.entrySet()) {
            List<@Nullable Object> mine = byKey.get(entry.getKey());
            if (mine == null) {
                lines.add("%s: row %s is missing".formatted(table.name(), entry.getKey()));
                continue;
            }
            for (int i = 0; i < mine.size(); i++) {
                if (!Objects.equals(mine.get(i), entry.getValue().get(i))) {
                    lines.add("%s: row %s column %s is %s, source had %s"
                            .formatted(
                                    table.name(),
                                    entry.getKey(),
                                    table.columns().get(i).name(),
                                    mine.get(i),
                                    entry.getValue().get(i)));
                }
            }
        }
        for (String key : byKey.keySet()) {
            if (!expected.byKey.containsKey(key)) {
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
