package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aardappel.emulator.model.topic.Topic;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.CommitOffsetRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromClient;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.FromServer;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.InitRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.ReadRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage.StartPartitionSessionResponse;
import tech.ydb.proto.topic.YdbTopic.UpdateTokenRequest;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

@DisplayName("A read stream whose client takes no messages")
class UnreadStreamTest {
    private static final int DATA_BYTES = 100_000;
    private static final String LONG_TOKEN = "x".repeat(64 << 10);
    /** More than all buffers on the way hold. */
    private static final int REQUESTS = 200;

    private final TopicServer server = new TopicServer();
    private Topic topic;

    /** Takes a message only when told so. */
    private static final class Sleeper implements ClientResponseObserver<FromClient, FromServer> {
        final Queue<FromServer> received = new ConcurrentLinkedQueue<>();
        private @Nullable ClientCallStreamObserver<FromClient> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<FromClient> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(0);
        }

        ClientCallStreamObserver<FromClient> call() {
            if (call == null) {
                throw new IllegalStateException("the call has not begun");
            }
            return call;
        }

        @Override
        public void onNext(FromServer message) {
            received.add(message);
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
    }

    @BeforeEach
    void createTopic() {
        topic = server.create("t", 1, "c");
        topic.append(
                0,
                IntStream.range(0, 50)
                        .mapToObj(i -> TopicServer.message("p", i + 1, "x".repeat(DATA_BYTES)))
                        .toList());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A client that was offered the partition, and takes nothing of the data that it asked for. */
    private Sleeper asleep() {
        Sleeper client = new Sleeper();
        assertThat(TopicServiceGrpc.newStub(server.channel()).streamRead(client))
                .isNotNull();
        InitRequest.Builder init = InitRequest.newBuilder().setConsumer("c");
        init.addTopicsReadSettingsBuilder().setPath("t");
        client.call().onNext(FromClient.newBuilder().setInitRequest(init).build());
        client.call().request(2);
        await().until(() -> client.received.size() == 2);
        long session = List.copyOf(client.received)
                .get(1)
                .getStartPartitionSessionRequest()
                .getPartitionSession()
                .getPartitionSessionId();
        client.call()
                .onNext(FromClient.newBuilder()
                        .setStartPartitionSessionResponse(
                                StartPartitionSessionResponse.newBuilder().setPartitionSessionId(session))
                        .build());
        client.call()
                .onNext(FromClient.newBuilder()
                        .setReadRequest(ReadRequest.newBuilder().setBytesSize(100_000_000))
                        .build());
        return client;
    }

    private static void askForMuch(Sleeper client) {
        for (int i = 0; i < REQUESTS; i++) {
            client.call()
                    .onNext(FromClient.newBuilder()
                            .setUpdateTokenRequest(
                                    UpdateTokenRequest.newBuilder().setToken(LONG_TOKEN))
                            .build());
        }
    }

    @Test
    void isNotReadFurther() {
        Sleeper client = asleep();
        askForMuch(client);
        await().during(Duration.ofMillis(500)).until(() -> !client.call().isReady());
    }

    @Test
    void goesOnWhenItsClientDoes() {
        Sleeper client = asleep();
        askForMuch(client);
        client.call().request(Integer.MAX_VALUE);
        await().until(() -> client.received.stream()
                        .filter(FromServer::hasUpdateTokenResponse)
                        .count()
                == REQUESTS);
    }

    @Test
    void endsWhenOthersMakeTooMuchOfIt() {
        Sleeper client = asleep();
        var calls = server.calls();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    // each takes the partition from its reader and offers it anew: two messages more
                    for (int i = 0; i < 500; i++) {
                        calls.commitOffset(CommitOffsetRequest.newBuilder()
                                .setPath("t")
                                .setConsumer("c")
                                .build());
                    }
                    return server.context.streams().count() == 0;
                });
        client.call().request(Integer.MAX_VALUE);
        await().until(() -> client.received.stream().anyMatch(message -> message.getStatus() == StatusCode.OVERLOADED));
    }
}
