package io.aardappel.emulator.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.emulator.tokens.TokenDesk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Commands about the token service as JSON. */
final class TokenRules {
    private TokenRules() {}

    static ObjectNode show(TokenDesk desk) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("requests", desk.requests().size())
                .put("issued", desk.issued());
    }

    /** Applies every key that is there; the others stay as they were. */
    static ObjectNode apply(JsonNode body, TokenDesk desk) {
        body.fieldNames().forEachRemaining(key -> apply(key, body.get(key), body, desk));
        return show(desk);
    }

    private static void apply(String key, JsonNode value, JsonNode body, TokenDesk desk) {
        switch (key) {
            case "lifetimeMs" -> desk.setLifetime(Duration.ofMillis(value.asLong()));
            case "delayMs" -> desk.setDelay(Duration.ofMillis(value.asLong()));
            case "status" -> desk.refuse(value.asInt(), body.path("count").asInt(1));
            case "count" -> {
                if (!body.has("status")) {
                    throw new IllegalArgumentException("'count' belongs to 'status'");
                }
            }
            case "subjects" -> desk.acceptOnly(texts(value));
            default ->
                throw new IllegalArgumentException(
                        "unknown key '" + key + "', known are lifetimeMs, delayMs, status, count, subjects");
        }
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    static ObjectNode expire(TokenDesk desk) {
        desk.expire();
        return show(desk);
    }
}
