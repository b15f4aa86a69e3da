package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.replicator.core.Columns;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads an object of column values into {@link Columns} of one destination table. Not thread-safe. */
final class ColumnReader {
    /** Records do not tell of defaults, and rows that the source gave one to without writing them make no record. */
    private static final String ADD_IT = "; add it, with the DEFAULT that it has at the source, if any";

    private final TableShape shape;
    private final SourceColumns source;
    private final boolean[] isKey;

    /** By ordinal: the cells of the object being read, and in which object a cell was last set. */
    private final @Nullable Object[] cells;

    private final int[] setIn;
    private int objects;

    /** Records of a table name the same columns in the same order nearly always: by place, what was there last time. */
    private final String[] expectedNames;

    private final int[] expectedOrdinals;

    private int[] lastOrdinals = {};
    private Columns columns = Columns.NONE;
    private @Nullable String missing;

    ColumnReader(TableShape shape, SourceColumns source) {
        this.shape = shape;
        this.source = source;
        int size = shape.columns().size();
        this.isKey = new boolean[size];
        shape.keyOrdinals().forEach(ordinal -> isKey[ordinal] = true);
        this.cells = new @Nullable Object[size];
        this.setIn = new int[size];
        this.expectedNames = new String[size];
        Arrays.fill(expectedNames, "");
        this.expectedOrdinals = new int[size];
        Arrays.fill(expectedOrdinals, -1); // a column may be named "" in a message, and is in no table
    }

    /** What the last {@link #read} found, when it found no fault. */
    Columns columns() {
        return columns;
    }

    /** A new message. */
    void begin() {
        missing = null;
    }

    /** The column that the table lacks, null when the message has named none such. */
    @Nullable
    String missing() {
        return missing;
    }

    /** Reads the object at which the parser stands; returns what does not fit in words, null when all fits. */
    @Nullable
    String read(JsonParser json, byte[] message, int start) throws IOException {
        columns = Columns.NONE;
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return "the columns are not a JSON object";
        }
        objects++;
        int count = 0;
        String name = json.nextFieldName();
        while (name != null) {
            int ordinal = ordinal(name, count);
            if (ordinal < 0) {
                missing = name;
                return "column `" + name + "`" + there(name) + " is not in the destination table " + shape.path()
                        + ADD_IT;
            }
            if (isKey[ordinal] || setIn[ordinal] == objects) {
                return "column `" + name + "` " + (isKey[ordinal] ? "is of the key in " + shape.path() : "comes twice");
            }
            JsonToken token = json.nextToken();
            Object cell = CellReader.read(json, shape.column(ordinal), message, start);
            if (cell instanceof Misfit misfit) {
                return describe("column", shape.column(ordinal), there(name), token, misfit);
            }
            cells[ordinal] = cell;
            setIn[ordinal] = objects;
            count++;
            name = json.nextFieldName();
        }
        columns = collect(count);
        return json.currentToken() == JsonToken.END_OBJECT ? null : "the message ends inside its columns";
    }

    private int ordinal(String name, int place) {
        if (place < expectedNames.length && name.equals(expectedNames[place])) {
            return expectedOrdinals[place];
        }
        int ordinal = shape.ordinal(name);
        if (ordinal >= 0 && place < expectedNames.length) {
            expectedNames[place] = name;
            expectedOrdinals[place] = ordinal;
        }
        return ordinal;
    }

    /** In rising order of ordinals; the array of them is shared with the last record when it is the same. */
    private Columns collect(int count) {
        if (count == 0) {
            return Columns.NONE;
        }
        @Nullable Object[] values = new @Nullable Object[count];
        boolean asLast = lastOrdinals.length == count;
        int size = 0;
        for (int ordinal = 0; size < count; ordinal++) {
            if (setIn[ordinal] == objects) {
                asLast = asLast && lastOrdinals[size] == ordinal;
                values[size++] = cells[ordinal];
                cells[ordinal] = null;
            }
        }
        if (!asLast) {
            lastOrdinals = ordinals(count);
        }
        return new Columns(lastOrdinals, values);
    }

    private int[] ordinals(int count) {
        int[] ordinals = new int[count];
        int size = 0;
        for (int ordinal = 0; size < count; ordinal++) {
            if (setIn[ordinal] == objects) {
                ordinals[size++] = ordinal;
            }
        }
        return ordinals;
    }

    /** What the column is at the source, where that is known. */
    private String there(String column) {
        return source.type(column).map(type -> " (" + type + " at the source)").orElse("");
    }

    static String describe(String what, TableShape.Column column, String there, JsonToken token, Misfit misfit) {
        return what + " `" + column.name() + "`" + there + ": "
                + misfit.describe(CellReader.shape(token), column.type());
    }
}
