package io.aardappel.replicator.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Takes JSON objects apart without touching how their values are spelled. Stateless. */
public final class RawMembers {
    private static final JsonFactory JSON = MessageJson.factory();

    private RawMembers() {}

    /**
     * The members by name, each as the text that stands for its value; of several with one name the last.
     *
     * @return empty when it is no JSON object
     */
    public static Optional<Map<String, String>> of(byte[] object) {
        try (JsonParser json = JSON.createParser(object)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            Map<String, String> members = new LinkedHashMap<>();
            String name = json.nextFieldName();
            while (name != null) {
                json.nextToken();
                int from = (int) json.currentTokenLocation().getByteOffset();
                json.skipChildren();
                json.finishToken();
                int to = (int) json.currentLocation().getByteOffset();
                members.put(name, new String(object, from, to - from, StandardCharsets.UTF_8));
                name = json.nextFieldName();
            }
            return json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null
                    ? Optional.of(members)
                    : Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    /** What a JSON string says; empty when the text is none. */
    public static Optional<String> text(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            return parser.nextToken() == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }
}
