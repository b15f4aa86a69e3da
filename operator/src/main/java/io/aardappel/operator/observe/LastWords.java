package io.aardappel.operator.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.aardappel.operator.resources.SpecPath;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a container said at its end. Kubernetes keeps the last lines of its log; a replicator's are JSON, and those of level error tell
 * why it ended.
 */
final class LastWords {
    private static final JsonFactory JSON = new JsonFactory();

    private LastWords() {}

    /**
     * The words of its error lines, each once; all as it is where there are none, as of another program. Keys of its file
     * are told as members of the resource.
     */
    static String of(String log) {
        Set<String> errors = log.lines()
                .map(LastWords::members)
                .map(LastWords::error)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        errors.remove("");
        return SpecPath.inSpec(errors.isEmpty() ? log : String.join("; ", errors));
    }

    private static String error(Map<String, String> line) {
        return line.getOrDefault("level", "").equals("error")
                ? Stream.of("message", "error")
                        .map(member -> line.getOrDefault(member, ""))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(": "))
                : "";
    }

    /** Texts of a line; none of one that is no JSON object, such as the first, which may have lost its beginning. */
    private static Map<String, String> members(String line) {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Map.of();
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String member = json.currentName();
                if (json.nextToken() == JsonToken.VALUE_STRING) {
                    members.put(member, json.getText());
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException broken) {
            return Map.of();
        }
        return members;
    }
}
