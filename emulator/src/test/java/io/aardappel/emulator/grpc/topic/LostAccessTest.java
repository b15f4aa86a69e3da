package io.aardappel.emulator.grpc.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.grpc.Permissions.Right;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.topic.YdbTopic.Consumer;
import tech.ydb.proto.topic.YdbTopic.CreateTopicRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeConsumerRequest;
import tech.ydb.proto.topic.YdbTopic.DescribeTopicRequest;
import tech.ydb.proto.topic.YdbTopic.StreamReadMessage;
import tech.ydb.proto.topic.YdbTopic.StreamWriteMessage;
import tech.ydb.proto.topic.YdbTopic.UpdateTokenRequest;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

@DisplayName("A topic session whose caller")
class LostAccessTest {
    private static final String TOPIC = "/local/news";
    private static final String CONSUMER = "reader";
    private static final String USER = "robot";

    private final YdbEmulator ydb = YdbEmulator.builder()
            .token("owner", "owner@builtin")
            .tokenService("localhost", 0)
            .start();
    private final ManagedChannel channel =
            NettyChannelBuilder.forTarget(ydb.endpoint()).usePlaintext().build();

    @BeforeEach
    void makeTopic() {
        StatusCode made = TopicServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(ticket("owner")))
                .createTopic(CreateTopicRequest.newBuilder()
                        .setPath(TOPIC)
                        .addConsumers(Consumer.newBuilder().setName(CONSUMER))
                        .build())
                .getOperation()
                .getStatus();
        assertThat(made).isEqualTo(StatusCode.SUCCESS);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        ydb.close();
    }

    private static Metadata ticket(String value) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("x-ydb-auth-ticket", Metadata.ASCII_STRING_MARSHALLER), value);
        return headers;
    }

    private TopicServiceGrpc.TopicServiceStub by(String ticket) {
        return TopicServiceGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(ticket(ticket)));
    }

    private ReadClient reader(String ticket) {
        ReadClient reader = new ReadClient(by(ticket)).open(CONSUMER, TOPIC);
        reader.started();
        return reader;
    }

    private WriteClient writer(String ticket) {
        WriteClient writer = new WriteClient(by(ticket));
        writer.open(TOPIC, "producer");
        return writer;
    }

    @Nested
    @DisplayName("has a ticket that is no longer known")
    class TicketUnknown {
        private final String ticket = ydb.accounts().issue(USER);

        @Test
        void endsAsUnauthenticatedWhenItReads() {
            ReadClient reader = reader(ticket);
            ydb.tokenDesk().expire();
            assertThat(reader.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }

        @Test
        void endsAsUnauthenticatedWhenItWrites() {
            WriteClient writer = writer(ticket);
            ydb.tokenDesk().expire();
            assertThat(writer.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }

        @Test
        void endsWhenTheLifeOfTheTicketIsOver() {
            ReadClient reader = reader(ydb.accounts().issue(USER, Duration.ofMillis(500)));
            assertThat(reader.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }

        @Test
        void goesOnWhenItHasShownAnother() {
            ReadClient reader = reader(ydb.accounts().issue(USER, Duration.ofMillis(500)));
            reader.send(StreamReadMessage.FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken(ticket)));
            assertThat(reader.next().hasUpdateTokenResponse()).isTrue();
            WriteClient writer = writer(ydb.accounts().issue(USER, Duration.ofSeconds(1)));
            assertThat(writer.broken().getCode())
                    .isEqualTo(Status.Code.UNAUTHENTICATED); // the first ticket is dead too
            reader.send(StreamReadMessage.FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken(ticket)));
            assertThat(reader.next().hasUpdateTokenResponse()).isTrue();
        }

        @Test
        void endsAtOnceWhenItShowsOneThatIsNotKnown() {
            ReadClient reader = reader(ticket);
            reader.send(StreamReadMessage.FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken("guess")));
            assertThat(reader.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            WriteClient writer = writer(ticket);
            writer.send(StreamWriteMessage.FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken("guess")));
            assertThat(writer.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }

        @Test
        void endsWhenItsStaticTokenIsDismissed() {
            ReadClient reader = reader("owner");
            ydb.accounts().dismiss("owner");
            assertThat(reader.broken().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    @Nested
    @DisplayName("has lost a right")
    class RightLost {
        private final String ticket = ydb.accounts().issue(USER);

        private void revoke(Right right) {
            ydb.permissions().revoke(USER, TOPIC, right);
        }

        @Test
        void endsAsUnauthorizedWhenItReads() {
            ReadClient reader = reader(ticket);
            revoke(Right.READ);
            reader.refused(StatusCode.UNAUTHORIZED);
        }

        @Test
        void endsAsUnauthorizedWhenItWrites() {
            WriteClient writer = writer(ticket);
            revoke(Right.WRITE);
            writer.refused(StatusCode.UNAUTHORIZED);
        }

        @Test
        void isNotOpenedAgain() {
            revoke(Right.READ);
            ReadClient reader = new ReadClient(by(ticket));
            StreamReadMessage.InitRequest.Builder init =
                    StreamReadMessage.InitRequest.newBuilder().setConsumer(CONSUMER);
            init.addTopicsReadSettingsBuilder().setPath(TOPIC);
            reader.init(init);
            reader.refused(StatusCode.UNAUTHORIZED);
        }

        @Test
        void isToldThatTheTopicIsNotThereWithoutTheRightToDescribeIt() {
            ReadClient reader = reader(ticket);
            revoke(Right.DESCRIBE);
            reader.refused(StatusCode.SCHEME_ERROR);
            TopicServiceGrpc.TopicServiceBlockingStub calls = TopicServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(ticket(ticket)));
            assertThat(calls.describeTopic(DescribeTopicRequest.newBuilder()
                                    .setPath(TOPIC)
                                    .build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
            assertThat(calls.describeConsumer(DescribeConsumerRequest.newBuilder()
                                    .setPath(TOPIC)
                                    .setConsumer(CONSUMER)
                                    .build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.SCHEME_ERROR);
        }

        @Test
        void leavesTheSessionsOfOthersAlone() {
            ReadClient reader = reader("owner");
            revoke(Right.READ);
            WriteClient writer = writer(ticket);
            revoke(Right.WRITE);
            writer.refused(StatusCode.UNAUTHORIZED); // the server has looked at its callers
            reader.send(StreamReadMessage.FromClient.newBuilder()
                    .setUpdateTokenRequest(UpdateTokenRequest.newBuilder().setToken("owner")));
            assertThat(reader.next().hasUpdateTokenResponse()).isTrue();
        }
    }
}
