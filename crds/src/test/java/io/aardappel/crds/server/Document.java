package io.aardappel.crds.server;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A resource as the tree that its YAML is, whether or not the model knows its members. Not changed once made. */
record Document(ObjectNode root) {
    static Document ofYaml(String yaml) {
        return new Document(Serialization.unmarshal(yaml, ObjectNode.class));
    }

    /** One that lies beside the tests. */
    static Document ofTests(String name) {
        try (InputStream yaml = Document.class.getResourceAsStream("/" + name)) {
            if (yaml == null) {
                throw new IllegalArgumentException("no " + name + " in src/test/resources");
            }
            return ofYaml(new String(yaml.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /** All ways to fill a resource: the smallest, the largest, and the largest with each way to name a database. */
    static List<Document> good() {
        Document full = ofTests("full.yaml");
        List<Document> good = new ArrayList<>(List.of(ofTests("minimal.yaml"), full));
        ofTests("databases.yaml")
                .root()
                .forEach(database -> good.add(full.with("spec.source", database).with("spec.destination", database)));
        return good;
    }

    /** @param path such as {@code spec.streams[0].consumer} */
    JsonNode at(String path) {
        return root.at(pointer(path));
    }

    boolean has(String path) {
        return !at(path).isMissingNode();
    }

    /** A copy that has the value there; what the last step of the path is in must exist. */
    Document with(String path, Object value) {
        ObjectNode copy = root.deepCopy();
        JsonNode node = value instanceof JsonNode tree
                ? tree.deepCopy()
                : Serialization.unmarshal(Serialization.asJson(value), JsonNode.class);
        JsonPointer pointer = pointer(path);
        JsonNode parent = copy.at(pointer.head());
        if (parent instanceof ObjectNode object) {
            object.set(pointer.last().getMatchingProperty(), node);
        } else if (parent instanceof ArrayNode list && pointer.last().getMatchingIndex() == list.size()) {
            list.add(node);
        } else if (parent instanceof ArrayNode list) {
            list.set(pointer.last().getMatchingIndex(), node);
        } else {
            throw new IllegalArgumentException("nothing to set " + path + " in");
        }
        return new Document(copy);
    }

    Document without(String path) {
        ObjectNode copy = root.deepCopy();
        JsonPointer pointer = pointer(path);
        if (!(copy.at(pointer.head()) instanceof ObjectNode parent)
                || parent.remove(pointer.last().getMatchingProperty()) == null) {
            throw new IllegalArgumentException("there is no " + path + " to leave out");
        }
        return new Document(copy);
    }

    Document named(String name) {
        return with("metadata.name", name);
    }

    /** Paths of all members, those of the first item for lists. */
    Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>();
        walk("", root, paths);
        return paths;
    }

    private static void walk(String path, JsonNode node, Set<String> paths) {
        node.properties().forEach(member -> {
            String name = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
            paths.add(name);
            walk(name, member.getValue(), paths);
        });
        if (node.isArray() && !node.isEmpty()) {
            walk(path + "[0]", node.get(0), paths);
        }
    }

    GenericKubernetesResource resource() {
        return as(GenericKubernetesResource.class);
    }

    <T> T as(Class<T> type) {
        return Serialization.unmarshal(root.toString(), type);
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile(
                "/" + path.replace('.', '/').replace("[", "/").replace("]", ""));
    }
}
