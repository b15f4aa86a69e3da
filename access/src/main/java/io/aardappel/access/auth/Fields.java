package io.aardappel.access.auth;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One object of a credential file, the path to it, and where its problems are gathered, to be told together. Problems name
 * paths and never quote values. Like the Go program it passes over members that it does not know.
 */
record Fields(String path, JsonNode node, List<String> problems) {
    boolean has(String name) {
        return !node.path(name).isMissingNode() && !node.path(name).isNull();
    }

    /** The text of a member; empty where it is not there, or no text, which is complained of. */
    String text(String name) {
        JsonNode value = node.path(name);
        if (has(name) && !value.isTextual()) {
            wrong(name, "is no text");
        }
        return value.isTextual() ? value.asText() : "";
    }

    String text(String name, String fallback) {
        String text = text(name);
        return text.isEmpty() ? fallback : text;
    }

    String requiredText(String name) {
        String text = text(name);
        if (text.isEmpty() && (!has(name) || node.path(name).isTextual())) {
            wrong(name, has(name) ? "is empty" : "is missing");
        }
        return text;
    }

    /** One text or a list of texts, empty ones left out. */
    List<String> texts(String name) {
        JsonNode value = node.path(name);
        List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            for (JsonNode item : value) {
                if (item.isTextual()) {
                    texts.add(item.asText());
                } else {
                    wrong(name, "holds something other than text");
                }
            }
        } else if (has(name)) {
            texts.add(text(name));
        }
        texts.removeIf(String::isEmpty);
        return List.copyOf(texts);
    }

    /** The object of a member; empty where it is not there, or no object, which is complained of. */
    Optional<Fields> object(String name) {
        JsonNode value = node.path(name);
        if (has(name) && !value.isObject()) {
            wrong(name, "is no object");
        }
        return value.isObject() ? Optional.of(new Fields(pathOf(name), value, problems)) : Optional.empty();
    }

    void wrong(String name, String fault) {
        problems.add(pathOf(name) + " " + fault);
    }

    String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
