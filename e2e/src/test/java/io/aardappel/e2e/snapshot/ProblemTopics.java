package io.aardappel.e2e.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.aardappel.emulator.model.topic.TopicMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Where the replicators of a scene put dead letters, and where a person tells them what to do about a record. */
final class ProblemTopics {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** How the record begins in a letter that is a line of text. */
    private static final String RECORD = "{\"topic\":";

    private static final String DEAD_LETTERS = "dead";
    private static final String COMMANDS = "commands";

    private final Scene scene;

    private ProblemTopics(Scene scene) {
        this.scene = scene;
    }

    /** Creates both; replicators that start from now on use them. */
    static ProblemTopics of(Scene scene) {
        scene.destination.define("CREATE TOPIC " + DEAD_LETTERS + ";");
        scene.destination.define("CREATE TOPIC " + COMMANDS + " (CONSUMER repl);");
        scene.configure("dead_letter_queue: {path: " + DEAD_LETTERS + "}");
        scene.configure("cmd_queue: {path: " + COMMANDS + ", consumer: repl}");
        return new ProblemTopics(scene);
    }

    List<String> deadLetters() {
        return scene.destinationTopic(DEAD_LETTERS).read(0, 0).messages().stream()
                .map(message -> new String(message.data(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Answers that the record of a dead letter is to be applied or skipped. */
    void order(String action, String deadLetter) {
        try {
            JsonNode record = JSON.readTree(deadLetter.substring(Math.max(0, deadLetter.lastIndexOf(RECORD))));
            answer(JSON.writeValueAsBytes(Map.of(
                    "aardapel_instance_id",
                    "scene",
                    "path",
                    record.get("topic"),
                    "key",
                    record.get("key"),
                    "ts",
                    record.get("ts"),
                    "action",
                    action)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no dead letter: " + deadLetter, e);
        }
    }

    /** Whatever is in the command queue is not handed out for so long. */
    void withholdCommands(Duration howLong) {
        put("{}".getBytes(StandardCharsets.UTF_8));
        scene.emulator.topicFaults().silence(scene.destinationTopic(COMMANDS), 0, howLong);
    }

    private void put(byte[] command) {
        long now = scene.now();
        scene.destinationTopic(COMMANDS)
                .write(0, List.of(new TopicMessage("", 1, now, now, 1, command.length, Map.of(), command)));
    }

    /** Puts a command into the queue and takes FATAL_ERROR from the state row, so that the next replicator obeys it. */
    void answer(byte[] command) {
        put(command);
        scene.clearFatalError();
    }
}
