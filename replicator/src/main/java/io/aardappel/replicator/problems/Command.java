package io.aardappel.replicator.problems;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.aardappel.replicator.codec.RecordJson;
import io.aardappel.replicator.core.DecisionRow.Action;
import io.aardappel.replicator.core.Position;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A message of the command queue, taken for an order about one record. What it says may be about another, or make no sense: then
 * it can be told what is different.
 *
 * @param key JSON text of the record's key, empty when the message has none
 * @param position absent when it is not spelled as one
 * @param action absent when it is none
 * @param said the whole message
 */
record Command(String key, Optional<Position> position, Optional<Action> action, JsonNode said) {
    private static final String INSTANCE = "aardapel_instance_id";
    private static final String PATH = "path";
    private static final String KEY = "key";
    private static final String TS = "ts";
    private static final String ACTION = "action";

    /** Of what is shown of a message. */
    private static final int SHOWN_CHARACTERS = 200;

    /** Numbers keep the digits they came with. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /**
     * What a command about a record must say.
     *
     * @param topic as the configuration spells it; the Go program takes no other spelling
     * @param topicPath the same, absolute, as problems name it
     * @param key as the feed spells it
     */
    record Wanted(String instanceId, String topic, String topicPath, String key, Position position) {}

    /** The one that the message is, empty when it is no JSON object. */
    static Optional<Command> of(byte[] message) {
        JsonNode node;
        try {
            node = JSON.readTree(message);
        } catch (IOException malformed) {
            return Optional.empty();
        }
        if (!node.isObject()) {
            return Optional.empty();
        }
        Optional<Action> action = switch (node.path(ACTION).asText()) {
            case "apply" -> Optional.of(Action.APPLY);
            case "skip" -> Optional.of(Action.SKIP);
            default -> Optional.empty();
        };
        return Optional.of(new Command(text(node.path(KEY)), position(node.path(TS)), action, node));
    }

    private static Optional<Position> position(JsonNode pair) {
        if (!pair.isArray() || pair.size() != 2) {
            return Optional.empty();
        }
        Optional<Long> txId = unsigned(pair.get(1));
        return unsigned(pair.get(0)).flatMap(step -> txId.map(tx -> new Position(step, tx)));
    }

    private static Optional<Long> unsigned(JsonNode node) {
        BigInteger value = node.isIntegralNumber() ? node.bigIntegerValue() : BigInteger.ONE.negate();
        return value.signum() < 0 || value.bitLength() > Long.SIZE ? Optional.empty() : Optional.of(value.longValue());
    }

    private static String text(JsonNode node) {
        try {
            return node.isMissingNode() ? "" : JSON.writeValueAsString(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("what was read as JSON is written as JSON", impossible);
        }
    }

    /** Whether it says what is to become of the record. */
    boolean isAbout(Wanted wanted) {
        return hasPosition(wanted)
                && action.isPresent()
                && hasInstance(wanted)
                && hasPath(wanted)
                && said.path(KEY).isArray()
                && hasKey(wanted);
    }

    /** Whether it may have been meant for the record: at least two of path, key and position are the record's. */
    boolean isNearly(Wanted wanted) {
        return Stream.of(hasPosition(wanted), hasPath(wanted), hasKey(wanted))
                        .filter(same -> same)
                        .count()
                > 1;
    }

    /** What keeps it from being about the record, a member each, in words. */
    List<String> differences(Wanted wanted) {
        List<String> differences = new ArrayList<>();
        if (!hasInstance(wanted)) {
            differences.add(differs(INSTANCE, RecordJson.quoted(wanted.instanceId())));
        }
        if (!hasPath(wanted)) {
            differences.add(differs(PATH, RecordJson.quoted(wanted.topic())));
        }
        if (!hasKey(wanted)) {
            differences.add(differs(KEY, wanted.key()));
        }
        if (!hasPosition(wanted)) {
            differences.add(differs(TS, wanted.position().toString()));
        }
        if (action.isEmpty()) {
            differences.add(differs(ACTION, "\"apply\" or \"skip\""));
        }
        return differences;
    }

    private String differs(String member, String expected) {
        return member + " is " + (said.has(member) ? shown(text(said.path(member))) : "missing") + " and must be "
                + expected;
    }

    /** The beginning of it, for a person. */
    static String shown(String text) {
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
    }

    private boolean hasInstance(Wanted wanted) {
        return said.path(INSTANCE).asText().equals(wanted.instanceId());
    }

    private boolean hasPath(Wanted wanted) {
        String path = said.path(PATH).asText();
        return path.equals(wanted.topic()) || path.equals(wanted.topicPath());
    }

    private boolean hasKey(Wanted wanted) {
        return RecordJson.same(key, wanted.key());
    }

    private boolean hasPosition(Wanted wanted) {
        return position.filter(wanted.position()::equals).isPresent();
    }
}
