package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schema-change record says of the source table. Its form is young: whatever is not understood is passed over.
 *
 * @param version of the schema as the source counts, -1 when the record does not tell
 * @param columns the table's columns with their types as the source spells them, in the record's order; empty when it
 *     does not tell
 */
record TableChanges(long version, Map<String, String> columns) {
    private static final String VERSION = "schemaVersion";
    private static final String COLUMNS = "columns";
    private static final String TYPE = "type";

    /** Reads to the end of the value that the parser stands at, or of the message where that ends before it. */
    static TableChanges read(JsonParser json) throws IOException {
        long version = -1;
        Map<String, String> columns = new LinkedHashMap<>();
        int depth = json.currentToken().isStructStart() ? 1 : 0;
        while (depth > 0) {
            JsonToken token = json.nextToken();
            if (token == null) {
                break; // the message ends here, which is told where its end is looked for
            }
            if (version < 0 && isNumber(json, token)) {
                version = json.getLongValue();
            } else if (token == JsonToken.START_OBJECT && COLUMNS.equals(json.currentName()) && columns.isEmpty()) {
                readColumns(json, columns);
            } else {
                depth += step(token);
            }
        }
        return new TableChanges(version, columns);
    }

    private static boolean isNumber(JsonParser json, JsonToken token) throws IOException {
        return token == JsonToken.VALUE_NUMBER_INT
                && VERSION.equals(json.currentName())
                && json.getNumberType() != NumberType.BIG_INTEGER;
    }

    /** Each column's type is a text, or the member {@code type} of an object. */
    private static void readColumns(JsonParser json, Map<String, String> columns) throws IOException {
        String name = json.nextFieldName();
        while (name != null) {
            JsonToken value = json.nextToken();
            if (value == JsonToken.VALUE_STRING) {
                columns.put(name, json.getText());
            } else if (value == JsonToken.START_OBJECT) {
                String type = readType(json);
                if (type != null) {
                    columns.put(name, type);
                }
            } else {
                json.skipChildren();
            }
            name = json.nextFieldName();
        }
    }

    private static @Nullable String readType(JsonParser json) throws IOException {
        String type = null;
        String member = json.nextFieldName();
        while (member != null) {
            boolean text = json.nextToken() == JsonToken.VALUE_STRING;
            type = text && member.equals(TYPE) ? json.getText() : type;
            json.skipChildren();
            member = json.nextFieldName();
        }
        return type;
    }

    private static int step(JsonToken token) {
        return token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    }
}
