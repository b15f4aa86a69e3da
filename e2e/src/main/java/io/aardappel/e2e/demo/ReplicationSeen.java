package io.aardappel.e2e.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.e2e.world.Kubectl;
import java.util.stream.StreamSupport;

/**
 * What the operator says of a Replication; empty texts for what it does not say yet.
 *
 * @param ready status of the condition Ready
 * @param step coordinator step of the checkpoint, 0 before the first
 * @param why reason and message of the condition Ready
 */
record ReplicationSeen(String ready, String state, String stage, String lag, String active, long step, String why) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static ReplicationSeen of(Kubectl kubectl, String name) {
        JsonNode status =
                parsed(kubectl.run("get", "replication", name, "-o", "json")).path("status");
        JsonNode ready = StreamSupport.stream(status.path("conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst()
                .orElseGet(JSON::createObjectNode);
        return new ReplicationSeen(
                ready.path("status").asText(),
                status.path("state").asText(),
                status.path("stage").asText(),
                status.path("lag").asText(),
                status.path("activePod").asText(),
                status.path("checkpoint").path("stepId").asLong(),
                ready.path("reason").asText() + ": " + ready.path("message").asText());
    }

    boolean isReady() {
        return ready.equals("True");
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException odd) {
            throw new IllegalStateException("kubectl printed no JSON", odd);
        }
    }
}
