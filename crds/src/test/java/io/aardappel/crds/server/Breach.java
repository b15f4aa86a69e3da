package io.aardappel.crds.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A resource that breaks one bound of the schema and is good otherwise.
 *
 * @param bound the member and what of it is broken
 * @param field the member that the server has to name
 * @param said what its message has to hold: what is allowed
 */
record Breach(String bound, Document resource, String field, String said) {
    /** One for each bound below a member, made from resources that together have every member. */
    static List<Breach> ofEach(JSONSchemaProps schema, String path, List<Document> good) {
        Maker maker = new Maker(good);
        maker.member(path, schema);
        return maker.made;
    }

    @Override
    public String toString() {
        return bound;
    }

    private static final class Maker {
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

        private final List<Document> good;
        private final List<Breach> made = new ArrayList<>();

        Maker(List<Document> good) {
            this.good = good;
        }

        void member(String path, JSONSchemaProps schema) {
            if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
                longest(path, schema);
                set(path, "type", NODES.booleanNode(true), "must be of type");
                return;
            }
            JsonNode wrong = "string".equals(schema.getType()) ? NODES.numberNode(5) : NODES.textNode("some text");
            set(path, "type", wrong, "must be of type " + schema.getType());
            switch (schema.getType()) {
                case "string" -> text(path, schema);
                case "integer" -> number(path, schema);
                case "array" -> list(path, schema);
                case "object" -> object(path, schema);
                default -> {
                    // a boolean has no bounds
                }
            }
        }

        private void text(String path, JSONSchemaProps schema) {
            longest(path, schema);
            if (schema.getMinLength() != null) {
                String tooShort = "x".repeat(Math.toIntExact(schema.getMinLength() - 1));
                set(
                        path,
                        "minLength",
                        NODES.textNode(tooShort),
                        "should be at least %d chars long".formatted(schema.getMinLength()));
            }
            if (!schema.getEnum().isEmpty()) {
                String allowed =
                        schema.getEnum().stream().map(JsonNode::toString).collect(Collectors.joining(", "));
                set(path, "enum", NODES.textNode("Nonsense"), "supported values: " + allowed);
            }
        }

        private void longest(String path, JSONSchemaProps schema) {
            if (schema.getMaxLength() != null) {
                String tooLong = "x".repeat(Math.toIntExact(schema.getMaxLength() + 1));
                set(path, "maxLength", NODES.textNode(tooLong), "may not be more than " + schema.getMaxLength() + " ");
            }
        }

        private void number(String path, JSONSchemaProps schema) {
            if (schema.getMinimum() != null) {
                long least = schema.getMinimum().longValue();
                set(path, "minimum", NODES.numberNode(least - 1), "should be greater than or equal to " + least);
            }
            if (schema.getMaximum() != null) {
                long most = schema.getMaximum().longValue();
                set(path, "maximum", NODES.numberNode(most + 1), "should be less than or equal to " + most);
            }
        }

        private void list(String path, JSONSchemaProps schema) {
            JsonNode item = having(path + "[0]").at(path + "[0]");
            if (schema.getMaxItems() != null) {
                int most = Math.toIntExact(schema.getMaxItems());
                ArrayNode tooMany = NODES.arrayNode();
                IntStream.rangeClosed(0, most).forEach(i -> tooMany.add(distinct(item, schema, i)));
                set(path, "maxItems", tooMany, "must have at most %d items".formatted(most));
            }
            if (schema.getMinItems() != null) {
                set(
                        path,
                        "minItems",
                        NODES.arrayNode(),
                        "should have at least %d items".formatted(schema.getMinItems()));
            }
            if (schema.getXKubernetesListMapKeys() != null
                    && !schema.getXKubernetesListMapKeys().isEmpty()) {
                ArrayNode twice = NODES.arrayNode().add(item).add(item.deepCopy());
                made.add(new Breach(path + ": keys", having(path).with(path, twice), path + "[1]", "Duplicate value"));
            }
            member(path + "[0]", schema.getItems().getSchema());
        }

        /** Items of a keyed list must differ in a key. */
        private static JsonNode distinct(JsonNode item, JSONSchemaProps list, int number) {
            if (list.getXKubernetesListMapKeys() == null
                    || list.getXKubernetesListMapKeys().isEmpty()) {
                return item;
            }
            String key = list.getXKubernetesListMapKeys().get(0);
            return item.<ObjectNode>deepCopy().put(key, "item" + number);
        }

        private void object(String path, JSONSchemaProps schema) {
            if (schema.getMaxProperties() != null) {
                ObjectNode tooMany = NODES.objectNode();
                IntStream.rangeClosed(0, Math.toIntExact(schema.getMaxProperties()))
                        .forEach(i -> tooMany.put("key" + i, "value"));
                set(path, "maxProperties", tooMany, "must have at most %d ".formatted(schema.getMaxProperties()));
            }
            if (schema.getAdditionalProperties() != null) {
                String key = having(path).at(path).fieldNames().next();
                member(path + "." + key, schema.getAdditionalProperties().getSchema());
            }
            for (String name : schema.getRequired()) {
                String required = path + "." + name;
                made.add(new Breach(
                        required + ": required", having(required).without(required), required, "Required value"));
            }
            Map<String, JSONSchemaProps> members = schema.getProperties() == null ? Map.of() : schema.getProperties();
            members.forEach((name, member) -> member(path + "." + name, member));
        }

        private void set(String path, String what, JsonNode value, String said) {
            made.add(new Breach(path + ": " + what, having(path).with(path, value), path, said));
        }

        private Document having(String path) {
            return good.stream()
                    .filter(document -> document.has(path))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no good resource has " + path));
        }
    }
}
