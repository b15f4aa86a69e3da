package io.aardappel.emulator.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aardappel.emulator.faults.FaultRule;
import io.aardappel.emulator.faults.Faults;
import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.model.fault.Fault;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of faults as JSON. */
final class FaultRules {
    private static final Set<String> KEYS = Set.of(
            "fault",
            "database",
            "path",
            "operations",
            "partition",
            "skip",
            "count",
            "probability",
            "spacingMs",
            "delayMs",
            "amount");

    private FaultRules() {}

    static FaultRule read(JsonNode json) {
        refuseUnknown(json);
        FaultRule rule = FaultRule.of(fault(json.path("fault").asText()));
        return new FaultRule(
                rule.fault(),
                json.hasNonNull("database") ? json.get("database").asText() : null,
                json.hasNonNull("path") ? json.get("path").asText() : null,
                operations(json.path("operations")),
                json.path("partition").asInt(rule.partition()),
                json.path("skip").asLong(rule.skip()),
                json.path("count").asLong(rule.count()),
                json.path("probability").asDouble(rule.probability()),
                Duration.ofMillis(json.path("spacingMs").asLong(0)),
                Duration.ofMillis(json.path("delayMs").asLong(rule.delay().toMillis())),
                json.path("amount").asLong(rule.amount()));
    }

    private static void refuseUnknown(JsonNode json) {
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!KEYS.contains(name)) {
                throw new IllegalArgumentException("unknown key '" + name + "', known are " + sorted(KEYS));
            }
        }
    }

    private static String sorted(Set<String> words) {
        return words.stream().sorted().collect(Collectors.joining(", "));
    }

    private static Fault fault(String word) {
        return Arrays.stream(Fault.values())
                .filter(fault -> fault.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown fault '" + word + "', known are "
                        + sorted(Arrays.stream(Fault.values()).map(Fault::word).collect(Collectors.toSet()))));
    }

    private static Set<Operation> operations(JsonNode words) {
        Set<Operation> operations = new LinkedHashSet<>();
        words.forEach(word -> operations.add(operation(word.asText())));
        return operations;
    }

    private static Operation operation(String word) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown operation '" + word + "', known are "
                        + sorted(Arrays.stream(Operation.values())
                                .map(Operation::word)
                                .collect(Collectors.toSet()))));
    }

    static ObjectNode write(Faults.Active active) {
        FaultRule rule = active.rule();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", active.id())
                .put("fault", rule.fault().word());
        if (rule.database() != null) {
            json.put("database", rule.database());
        }
        if (rule.path() != null) {
            json.put("path", rule.path());
        }
        if (!rule.operations().isEmpty()) {
            var words = json.putArray("operations");
            rule.operations().stream().map(Operation::word).sorted().forEach(words::add);
        }
        if (rule.partition() >= 0) {
            json.put("partition", rule.partition());
        }
        return json.put("skip", rule.skip())
                .put("count", rule.count())
                .put("probability", rule.probability())
                .put("spacingMs", rule.spacing().toMillis())
                .put("delayMs", rule.delay().toMillis())
                .put("amount", rule.amount())
                .put("matched", active.matched())
                .put("fired", active.fired());
    }
}
