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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An order about one record, as a message of the command queue gives it.
 *
 * @param path the stream's topic as the configuration spells it
 * @param key JSON text of the record's key
 */
record Command(String instanceId, String path, String key, Position position, Action action) {
    /** Numbers keep the digits they came with. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** The one that the message is, empty when it is none. */
    static Optional<Command> of(byte[] message) {
        JsonNode node;
        try {
            node = JSON.readTree(message);
        } catch (IOException malformed) {
            return Optional.empty();
        }
        Position position = position(node.path("ts"));
        Action action = switch (node.path("action").asText()) {
            case "apply" -> Action.APPLY;
            case "skip" -> Action.SKIP;
            default -> null;
        };
        if (position == null || action == null || !node.path("key").isArray()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Command(
                    node.path("aardapel_instance_id").asText(),
                    node.path("path").asText(),
                    JSON.writeValueAsString(node.path("key")),
                    position,
                    action));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("what was read as JSON is written as JSON", impossible);
        }
    }

    private static @Nullable Position position(JsonNode pair) {
        if (!pair.isArray() || pair.size() != 2) {
            return null;
        }
        Long step = unsigned(pair.get(0));
        Long txId = unsigned(pair.get(1));
        return step == null || txId == null ? null : new Position(step, txId);
    }

    private static @Nullable Long unsigned(JsonNode node) {
        BigInteger value = node.isIntegralNumber() ? node.bigIntegerValue() : BigInteger.ONE.negate();
        return value.signum() < 0 || value.bitLength() > Long.SIZE ? null : Long.valueOf(value.longValue());
    }

    boolean isAbout(String instance, String topic, String keyText, Position at) {
        return instanceId.equals(instance)
                && path.equals(topic)
                && position.equals(at)
                && RecordJson.same(key, keyText);
    }
}
