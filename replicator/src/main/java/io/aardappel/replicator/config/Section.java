package io.aardappel.replicator.config;

import io.aardappel.contract.PathText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One mapping of the file, the path to it, and where its problems go. Whoever reads it asks for each key that he knows
 * and then calls {@link #close}, which reports the rest. Not thread-safe.
 */
final class Section {
    private static final String MERGE = "<<";

    private final String path;
    private final Place place;
    private final Problems problems;
    private final Problems unknown;
    private final Map<String, Node> entries = new LinkedHashMap<>();
    private final Map<String, Place> keys = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    /** Keys that must be given and are not, with what to write; told at the end, when all that is given is known. */
    private final Map<String, String> missing = new LinkedHashMap<>();

    /**
     * @param problems where a wrong value is reported
     * @param unknown where an unknown key is reported
     */
    Section(String path, Place place, Problems problems, Problems unknown) {
        this.path = path;
        this.place = place;
        this.problems = problems;
        this.unknown = unknown;
    }

    Section(String path, MappingNode node, Problems problems, Problems unknown) {
        this(path, Place.of(node), problems, unknown);
        take(node);
        merge(node, new HashSet<>());
    }

    private void take(MappingNode node) {
        for (NodeTuple entry : node.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name)) {
                problems.add(path, Place.of(entry.getKeyNode()), null, "a key that is no text", "write KEY: VALUE");
            } else if (!isMerge(name)) {
                Place at = Place.of(name);
                Place first = keys.putIfAbsent(name.getValue(), at);
                if (first == null) {
                    entries.put(name.getValue(), entry.getValueNode());
                } else {
                    problems.add(
                            pathOf(name.getValue()),
                            at,
                            null,
                            "is given twice, first in line " + first.line(),
                            "keep one of them");
                }
            }
        }
    }

    /** YAML's merge key: what stands in the section itself wins. */
    private void merge(MappingNode node, Set<Node> seen) {
        if (!seen.add(node)) {
            return;
        }
        for (NodeTuple entry : node.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name) || !isMerge(name)) {
                continue;
            }
            List<Node> sources =
                    entry.getValueNode() instanceof SequenceNode list ? list.getValue() : List.of(entry.getValueNode());
            for (Node source : sources) {
                if (source instanceof MappingNode mapping) {
                    addMissing(mapping);
                    merge(mapping, seen);
                } else {
                    problems.add(pathOf(MERGE), Place.of(source), null, "merges no mapping", "merge an anchor of one");
                }
            }
        }
    }

    private void addMissing(MappingNode mapping) {
        for (NodeTuple entry : mapping.getValue()) {
            if (entry.getKeyNode() instanceof ScalarNode name && !isMerge(name)) {
                keys.putIfAbsent(name.getValue(), Place.of(name));
                entries.putIfAbsent(name.getValue(), entry.getValueNode());
            }
        }
    }

    private static boolean isMerge(ScalarNode name) {
        return MERGE.equals(name.getValue()) && Scalar.of(name).plain();
    }

    /** Whether the key is there with a value. */
    boolean has(String key) {
        return value(key) != null;
    }

    /** The text of a key; empty where it is not given. */
    String text(String key) {
        return scalar(key, "text").map(Scalar::text).orElse("");
    }

    /** The text of a key, which must be given and not be empty. Answers empty text after a complaint. */
    String requiredText(String key, String remedy) {
        Node node = value(key);
        if (node != null && !(node instanceof ScalarNode)) {
            return text(key); // complains about the kind
        }
        String text = text(key);
        if (text.isEmpty()) {
            lacks(key, remedy);
        }
        return text;
    }

    /** Complains of a consumer's name that no topic can have; not of an empty one. */
    void checkConsumer(String key, String name) {
        if (!name.isEmpty()) {
            PathText.consumerFault(name)
                    .ifPresent(fault -> wrong(key, name, fault, "write the consumer's name as the topic has it"));
        }
    }

    /** Complains of a key that must be given and has no value, or is not there. */
    void lacks(String key, String remedy) {
        if (keys.containsKey(key)) {
            wrong(key, null, "is empty", remedy);
        } else {
            missing.put(key, remedy);
        }
    }

    boolean truth(String key) {
        Optional<Scalar> scalar = scalar(key, "true or false");
        if (scalar.isEmpty()) {
            return false;
        }
        Optional<Boolean> truth = scalar.get().truth();
        if (truth.isEmpty()) {
            boolean plain = scalar.get().plain();
            wrong(
                    key,
                    scalar.get().text(),
                    plain ? "is not true or false" : "is text, because it stands in quotes",
                    plain ? "write true or false" : "write true or false, without quotes");
        }
        return truth.orElse(false);
    }

    /** A value with a range; the fallback where it is not given or after a complaint. */
    <T extends Comparable<T>> T setting(Setting<T> setting) {
        Optional<Scalar> scalar = scalar(setting.key(), setting.unit());
        if (scalar.isEmpty()) {
            return setting.fallback();
        }
        String text = scalar.get().text();
        Optional<T> value = setting.parse().apply(text);
        if (value.isEmpty()) {
            wrong(
                    setting.key(),
                    text,
                    "is not " + setting.noun(),
                    "write it like " + setting.print().apply(setting.fallback()));
        } else if (!setting.allows(value.get())) {
            wrong(setting.key(), text, "is out of range", "choose " + setting.range());
            return setting.fallback();
        }
        return value.orElse(setting.fallback());
    }

    /** The scalar of a key; empty where there is none, also after a complaint about its kind. */
    Optional<Scalar> scalar(String key, String wanted) {
        Node node = value(key);
        if (node == null) {
            return Optional.empty();
        }
        if (node instanceof ScalarNode scalar) {
            return Optional.of(Scalar.of(scalar));
        }
        wrong(key, null, "is " + kind(node), "write " + wanted);
        return Optional.empty();
    }

    /** The mapping under a key; empty where there is none, also after a complaint about its kind. */
    Optional<Section> section(String key) {
        Node node = value(key);
        if (node == null) {
            return Optional.empty();
        }
        if (node instanceof MappingNode mapping) {
            return Optional.of(new Section(pathOf(key), mapping, problems, unknown));
        }
        wrong(key, node instanceof ScalarNode s ? s.getValue() : null, "is " + kind(node), "write keys below it");
        return Optional.empty();
    }

    /** The mappings of a list under a key, each with its index in the path. */
    List<Section> sections(String key) {
        Node node = value(key);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode list)) {
            wrong(key, node instanceof ScalarNode s ? s.getValue() : null, "is " + kind(node), "write a list");
            return List.of();
        }
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < list.getValue().size(); i++) {
            String at = pathOf(key) + "[" + i + "]";
            Node item = list.getValue().get(i);
            if (item instanceof MappingNode mapping) {
                sections.add(new Section(at, mapping, problems, unknown));
            } else {
                problems.add(at, Place.of(item), null, "is " + kind(item), "write keys below it");
            }
        }
        return sections;
    }

    boolean isEmptyList(String key) {
        return value(key) instanceof SequenceNode list && list.getValue().isEmpty();
    }

    /** Reports a value; a null value stays out of the message, as a secret must. */
    void wrong(String key, @Nullable String value, String fault, String remedy) {
        problems.add(pathOf(key), placeOf(key), value == null ? null : asWritten(key, value), fault, remedy);
    }

    /** In quotes only where the file has some: they may be what is wrong with it. */
    private String asWritten(String key, String value) {
        boolean inQuotes = entries.get(key) instanceof ScalarNode scalar
                && !Scalar.of(scalar).plain();
        return inQuotes ? '"' + value + '"' : value;
    }

    /** Reports every key that nobody asked for, and every one that is missing. */
    void close() {
        keys.forEach((key, at) -> {
            if (!asked.contains(key)) {
                stranger(key, at);
            }
        });
        missing.forEach((key, remedy) -> wrong(key, null, "is missing", remedy));
    }

    /** One that was most likely meant for a missing one is the same mistake, whether unknown keys are allowed or not. */
    private void stranger(String key, Place at) {
        Optional<String> nearest = NearestKey.of(key, asked);
        String question = nearest.map(near -> "did you mean " + near + "?").orElse("");
        if (nearest.isPresent() && missing.remove(nearest.get()) != null) {
            problems.add(pathOf(key), at, null, "is not a known key, and " + nearest.get() + " is missing", question);
        } else {
            String remedy = nearest.isPresent() ? question : "known here: " + String.join(", ", asked);
            unknown.add(pathOf(key), at, null, "is not a known key", remedy);
        }
    }

    Place placeOf(String key) {
        Node node = entries.get(key);
        return node == null ? place : Place.of(node);
    }

    String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private @Nullable Node value(String key) {
        asked.add(key);
        Node node = entries.get(key);
        return node instanceof ScalarNode scalar && Scalar.of(scalar).isNothing() ? null : node;
    }

    private static String kind(Node node) {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        return node instanceof SequenceNode ? "a list" : "a single value";
    }
}
