package io.aardappel.replicator.config;

import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * One value of the file under the Go program's typing rules: text is whatever stands there, quoted or not; a truth value
 * and a number are recognised by their spelling.
 *
 * @param text without quotes
 * @param plain whether it stood without quotes
 */
record Scalar(String text, boolean plain) {
    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
    private static final Set<String> OLD_TRUE = Set.of("y", "Y", "yes", "on");
    private static final Set<String> OLD_FALSE = Set.of("n", "N", "no", "off");

    static Scalar of(ScalarNode node) {
        return new Scalar(node.getValue(), node.getScalarStyle() == ScalarStyle.PLAIN);
    }

    /** YAML's null, which the Go program takes for "not given". */
    boolean isNothing() {
        return plain && NOTHING.contains(text);
    }

    Optional<Boolean> truth() {
        if (OLD_TRUE.contains(text) || (plain && TRUE.contains(text))) {
            return Optional.of(true);
        }
        if (OLD_FALSE.contains(text) || (plain && FALSE.contains(text))) {
            return Optional.of(false);
        }
        return Optional.empty();
    }

    /** A whole number of at most nine digits, not quoted. */
    Optional<Integer> count() {
        return plain ? Quantities.parseCount(text) : Optional.empty();
    }
}
