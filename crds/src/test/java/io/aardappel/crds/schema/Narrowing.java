package io.aardappel.crds.schema;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a later schema refuses that an earlier one took: resources that exist would become invalid. */
final class Narrowing {
    private final List<String> found = new ArrayList<>();

    private Narrowing() {}

    /** A line for each; empty when every resource of the earlier schema is one of the later. */
    static List<String> between(JSONSchemaProps earlier, JSONSchemaProps later) {
        Narrowing narrowing = new Narrowing();
        narrowing.compare("", earlier, later);
        return narrowing.found;
    }

    private void compare(String path, JSONSchemaProps earlier, JSONSchemaProps later) {
        if (!Objects.equals(earlier.getType(), later.getType())) {
            found.add("%s is a %s and was a %s".formatted(path, later.getType(), earlier.getType()));
            return;
        }
        upper(path, "maxLength", earlier.getMaxLength(), later.getMaxLength());
        upper(path, "maxItems", earlier.getMaxItems(), later.getMaxItems());
        upper(path, "maxProperties", earlier.getMaxProperties(), later.getMaxProperties());
        upper(path, "maximum", earlier.getMaximum(), later.getMaximum());
        lower(path, "minLength", earlier.getMinLength(), later.getMinLength());
        lower(path, "minItems", earlier.getMinItems(), later.getMinItems());
        lower(path, "minimum", earlier.getMinimum(), later.getMinimum());
        if (later.getPattern() != null && !later.getPattern().equals(earlier.getPattern())) {
            found.add(path + " has another pattern: " + later.getPattern());
        }
        values(path, earlier, later);
        rules(path, earlier, later);
        members(path, earlier, later);
    }

    private void upper(String path, String bound, @Nullable Number before, @Nullable Number now) {
        if (now != null && (before == null || now.doubleValue() < before.doubleValue())) {
            found.add("%s: %s is %s and was %s".formatted(path, bound, now, before == null ? "none" : before));
        }
    }

    private void lower(String path, String bound, @Nullable Number before, @Nullable Number now) {
        double was = before == null ? 0 : before.doubleValue();
        if (now != null && now.doubleValue() > was) {
            found.add("%s: %s is %s and was %s".formatted(path, bound, now, before == null ? "none" : before));
        }
    }

    private void values(String path, JSONSchemaProps earlier, JSONSchemaProps later) {
        Set<String> gone = names(earlier.getEnum());
        Set<String> kept = names(later.getEnum());
        gone.removeAll(kept);
        if (!kept.isEmpty() && (names(earlier.getEnum()).isEmpty() || !gone.isEmpty())) {
            found.add("%s takes only %s".formatted(path, kept));
        }
    }

    private static Set<String> names(@Nullable List<?> values) {
        return values == null
                ? new HashSet<>()
                : values.stream().map(String::valueOf).collect(Collectors.toCollection(HashSet::new));
    }

    private void rules(String path, JSONSchemaProps earlier, JSONSchemaProps later) {
        Set<String> before = earlier.getXKubernetesValidations().stream()
                .map(ValidationRule::getRule)
                .collect(Collectors.toSet());
        later.getXKubernetesValidations().stream()
                .filter(rule -> !before.contains(rule.getRule()))
                .forEach(rule -> found.add("%s has a new rule: %s".formatted(path, rule.getRule())));
    }

    private void members(String path, JSONSchemaProps earlier, JSONSchemaProps later) {
        Set<String> required = new HashSet<>(later.getRequired());
        required.removeAll(earlier.getRequired());
        required.forEach(name -> found.add("%s.%s is required now".formatted(path, name)));
        for (Map.Entry<String, JSONSchemaProps> member : properties(earlier).entrySet()) {
            JSONSchemaProps now = properties(later).get(member.getKey());
            String name = path + "." + member.getKey();
            if (now != null) {
                compare(name, member.getValue(), now);
            } else if (!Boolean.TRUE.equals(later.getXKubernetesPreserveUnknownFields())) {
                found.add(name + " is gone");
            }
        }
        if (earlier.getItems() != null && later.getItems() != null) {
            compare(
                    path + "[]",
                    earlier.getItems().getSchema(),
                    later.getItems().getSchema());
        }
    }

    private static Map<String, JSONSchemaProps> properties(JSONSchemaProps schema) {
        return schema.getProperties() == null ? Map.of() : schema.getProperties();
    }
}
