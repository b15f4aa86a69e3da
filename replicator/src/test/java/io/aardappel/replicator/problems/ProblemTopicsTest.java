package io.aardappel.replicator.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Connection;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.junit.WithYdb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.topic.TopicClient;
import tech.ydb.topic.description.Consumer;
import tech.ydb.topic.settings.CreateTopicSettings;

@WithYdb
@DisplayName("The topics about problems")
class ProblemTopicsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final GrpcTransport transport;
    private final TopicClient client;
    private final String topic;

    ProblemTopicsTest(YdbEmulator ydb) {
        String database = ydb.database().path();
        transport = new Connection(
                        new Address(false, "localhost", ydb.port(), database),
                        false,
                        Ticket.none(),
                        null,
                        Connection.CONNECT_TIMEOUT)
                .open();
        client = TopicClient.newClient(transport).build();
        topic = database + "/problems" + System.nanoTime();
        client.createTopic(
                        topic,
                        CreateTopicSettings.newBuilder()
                                .addConsumer(
                                        Consumer.newBuilder().setName("repl").build())
                                .build())
                .join()
                .expectSuccess();
    }

    @AfterEach
    void close() {
        client.close();
        transport.close();
    }

    private List<String> read() {
        try (TopicCommands commands = new TopicCommands(transport, topic, "repl", Duration.ofSeconds(2))) {
            return commands.read().stream()
                    .map(message -> new String(message, StandardCharsets.UTF_8))
                    .toList();
        }
    }

    private void write(String... messages) {
        try (TopicDeadLetters letters = new TopicDeadLetters(transport, topic, TIMEOUT)) {
            for (String message : messages) {
                assertThat(letters.write(List.of(message.getBytes(StandardCharsets.UTF_8))))
                        .isEmpty();
            }
        }
    }

    @Test
    @DisplayName("keep dead letters in their order, acknowledged")
    void keepDeadLetters() {
        write("one", "two");

        assertThat(read()).containsExactly("one", "two");
    }

    @Test
    @DisplayName("give all commands again each time they are read")
    void giveCommandsAgain() {
        write("one");
        read();

        assertThat(read()).containsExactly("one");
    }

    @Test
    @DisplayName("say why a dead letter could not be written")
    void sayWhy() {
        String absent = topic + "absent";
        try (TopicDeadLetters letters = new TopicDeadLetters(transport, absent, Duration.ofSeconds(2))) {
            assertThat(letters.write(List.of(new byte[] {1})))
                    .hasValueSatisfying(why -> assertThat(why).contains(absent));
        }
    }
}
