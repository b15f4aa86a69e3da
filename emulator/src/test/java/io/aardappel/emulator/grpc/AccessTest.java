package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aardappel.emulator.LastingPort;
import io.aardappel.emulator.YdbEmulator;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.auth.YdbAuth;
import tech.ydb.proto.discovery.DiscoveryProtos;
import tech.ydb.proto.discovery.DiscoveryProtos.EndpointInfo;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsRequest;
import tech.ydb.proto.discovery.DiscoveryProtos.ListEndpointsResult;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.scheme.SchemeOperationProtos;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;

@DisplayName("A server")
class AccessTest {
    private RawYdb ydb = RawYdb.start();

    @AfterEach
    void stop() {
        ydb.close();
    }

    private void startWith(YdbEmulator.Builder builder) {
        ydb.close();
        ydb = new RawYdb(builder);
    }

    private ListEndpointsResult endpoints(Channel channel, String database) {
        return RawYdb.result(
                DiscoveryServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(20, TimeUnit.SECONDS)
                        .listEndpoints(ListEndpointsRequest.newBuilder()
                                .setDatabase(database)
                                .build())
                        .getOperation(),
                ListEndpointsResult.class);
    }

    private String whoAmI(Channel channel) {
        return RawYdb.result(
                        DiscoveryServiceGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(20, TimeUnit.SECONDS)
                                .whoAmI(DiscoveryProtos.WhoAmIRequest.getDefaultInstance())
                                .getOperation(),
                        DiscoveryProtos.WhoAmIResult.class)
                .getUser();
    }

    @Nested
    @DisplayName("that is discovered")
    class ThatIsDiscovered {
        @Test
        void advertisesTheAddressThatTheClientReached() {
            EndpointInfo endpoint = endpoints(ydb.channel(), "/local").getEndpoints(0);
            assertThat(endpoint.getAddress() + ":" + endpoint.getPort()).isEqualTo(ydb.emulator.endpoint());
            assertThat(endpoint.getNodeId()).isEqualTo(1);
            assertThat(endpoint.getSsl()).isFalse();
        }

        @Test
        void leavesIpAddressesToTheClient() {
            EndpointInfo endpoint = endpoints(ydb.channel(), "/local").getEndpoints(0);
            assertThat(endpoint.getIpV4List()).isEmpty();
            assertThat(endpoint.getIpV6List()).isEmpty();
        }

        @Test
        void knowsNoOtherDatabase() {
            StatusCode status = ydb.discovery()
                    .listEndpoints(ListEndpointsRequest.newBuilder()
                            .setDatabase("/other")
                            .build())
                    .getOperation()
                    .getStatus();
            assertThat(status).isEqualTo(StatusCode.NOT_FOUND);
        }

        @Test
        void saysWhenItSpeaksTls() throws Exception {
            startWith(YdbEmulator.builder().tls(ServerTls.selfSigned()));
            byte[] pem = ydb.emulator.certificatePem().orElseThrow().getBytes(StandardCharsets.UTF_8);
            ManagedChannel channel = NettyChannelBuilder.forTarget(ydb.emulator.endpoint())
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(new ByteArrayInputStream(pem))
                            .build())
                    .build();
            try {
                assertThat(endpoints(channel, "/local").getEndpoints(0).getSsl())
                        .isTrue();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    @Nested
    @DisplayName("with accounts")
    class WithAccounts {
        private void startWithAccounts() {
            startWith(YdbEmulator.builder().user("ann", "secret").token("t0ken", "robot"));
        }

        @Test
        void refusesCallsWithoutATicket() {
            startWithAccounts();
            assertThatThrownBy(() -> whoAmI(ydb.channel()))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused ->
                                    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
        }

        @Test
        void refusesTicketsThatItDoesNotKnow() {
            startWithAccounts();
            assertThatThrownBy(() -> whoAmI(ydb.with("x-ydb-auth-ticket", "guess")))
                    .hasMessageContaining("not known");
        }

        @Test
        void knowsTheUserOfAStaticToken() {
            startWithAccounts();
            assertThat(whoAmI(ydb.with("x-ydb-auth-ticket", "t0ken"))).isEqualTo("robot");
        }

        @Test
        void changesAPasswordIntoATicket() {
            startWithAccounts();
            assertThat(whoAmI(ydb.with("x-ydb-auth-ticket", login("secret")))).isEqualTo("ann");
        }

        private String login(String password) {
            return RawYdb.result(
                            ydb.auth()
                                    .login(YdbAuth.LoginRequest.newBuilder()
                                            .setUser("ann")
                                            .setPassword(password)
                                            .build())
                                    .getOperation(),
                            YdbAuth.LoginResult.class)
                    .getToken();
        }

        @Test
        void refusesAWrongPassword() {
            startWithAccounts();
            assertThat(ydb.auth()
                            .login(YdbAuth.LoginRequest.newBuilder()
                                    .setUser("ann")
                                    .setPassword("guess")
                                    .build())
                            .getOperation()
                            .getStatus())
                    .isEqualTo(StatusCode.UNAUTHORIZED);
        }
    }

    @Nested
    @DisplayName("with two databases")
    class WithTwoDatabases {
        private void make(String database, String directory) {
            SchemeServiceGrpc.newBlockingStub(ydb.with("x-ydb-database", database))
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .makeDirectory(SchemeOperationProtos.MakeDirectoryRequest.newBuilder()
                            .setPath(directory)
                            .build());
        }

        @Test
        void goesByTheHeader() {
            startWith(YdbEmulator.builder().database("/a").database("/b"));
            make("/b", "dir");
            assertThat(ydb.emulator.database("/b").list("/b")).hasSize(1);
            assertThat(ydb.emulator.database("/a").list("/a")).isEmpty();
        }

        @Test
        void goesByThePathWithoutAHeader() {
            startWith(YdbEmulator.builder().database("/a").database("/b"));
            ydb.scheme()
                    .makeDirectory(SchemeOperationProtos.MakeDirectoryRequest.newBuilder()
                            .setPath("/b/dir")
                            .build());
            assertThat(ydb.emulator.database("/b").list("/b")).hasSize(1);
        }
    }

    @Test
    void answersHealthChecks() {
        HealthCheckResponse response = HealthGrpc.newBlockingStub(ydb.channel())
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .check(HealthCheckRequest.getDefaultInstance());
        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
    }

    @Test
    void freesItsPortWhenItStops() {
        int port = LastingPort.free();
        startWith(YdbEmulator.builder().listen("localhost", port));
        startWith(YdbEmulator.builder().listen("localhost", port));
        assertThat(ydb.emulator.port()).isEqualTo(port);
    }
}
