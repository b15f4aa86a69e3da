package io.aardappel.emulator.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.emulator.model.Status;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.proto.topic.v1.TopicServiceGrpc;

@DisplayName("A server that gets requests by chance")
class MalformedRequestsTest {
    private static final int REQUESTS = 300;
    private static final long ANSWER_MILLIS_MAX = 10_000;

    /** Streams whose client must speak on, or which stay open: their own tests hold them to their rules. */
    private static final Set<String> LONG_STREAMS = Set.of("AttachSession", "StreamRead", "StreamWrite");

    private static final io.grpc.MethodDescriptor.Marshaller<byte[]> BYTES =
            new io.grpc.MethodDescriptor.Marshaller<>() {
                @Override
                public InputStream stream(byte[] value) {
                    return new ByteArrayInputStream(value);
                }

                @Override
                public byte[] parse(InputStream stream) {
                    try {
                        return stream.readAllBytes();
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                }
            };

    private static Stream<MethodDescriptor> all() {
        return Stream.of(
                        DiscoveryServiceGrpc.getServiceDescriptor(),
                        OperationServiceGrpc.getServiceDescriptor(),
                        SchemeServiceGrpc.getServiceDescriptor(),
                        TableServiceGrpc.getServiceDescriptor(),
                        QueryServiceGrpc.getServiceDescriptor(),
                        TopicServiceGrpc.getServiceDescriptor())
                .map(service -> (ProtoServiceDescriptorSupplier) service.getSchemaDescriptor())
                .flatMap(supplier -> supplier.getServiceDescriptor().getMethods().stream());
    }

    private static List<MethodDescriptor> methods() {
        return all().filter(method -> !LONG_STREAMS.contains(method.getName())).toList();
    }

    private static List<String> words(RawYdb ydb) {
        return List.of(
                ydb.session(),
                ydb.querySession(),
                "",
                "/local",
                "/local/t",
                "t",
                "/local/t/feed",
                "id",
                "v",
                "$p",
                "SELECT id, v FROM t WHERE id = $p;",
                "UPSERT INTO t (id, v) VALUES (1, 'a'u);",
                "UPSERT INTO t SELECT * FROM AS_TABLE($p);",
                "CREATE TABLE t2 (id Int64, PRIMARY KEY (id));",
                "SELECT " + "(".repeat(500),
                "01emulator0000000000000001",
                "null\0byte",
                "пусто");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void answersEachOfThemAndGoesOn(long seed) throws Exception {
        try (RawYdb ydb = new RawYdb(YdbEmulator.builder())) {
            ydb.schemeQuery(ydb.session(), "CREATE TABLE t (id Int64, v Utf8, PRIMARY KEY (id));");
            Random random = new Random(seed);
            RandomMessages messages = new RandomMessages(random, words(ydb));
            List<MethodDescriptor> methods = methods();
            List<String> defects = new ArrayList<>();
            int sessionsBefore = ydb.emulator.sessions();
            int created = 0;
            for (int i = 0; i < REQUESTS; i++) {
                MethodDescriptor method = methods.get(random.nextInt(methods.size()));
                Message request = messages.of(method.getInputType());
                created += method.getName().equals("CreateSession") ? 1 : 0;
                byte[] bytes = request.toByteArray();
                if (random.nextInt(20) == 0) {
                    random.nextBytes(bytes); // which is hardly ever a message
                }
                String answer = call(ydb, method, bytes);
                if (answer.contains(Status.INTERNAL_ERROR.name()) || answer.contains("UNKNOWN:")) {
                    defects.add(method.getFullName() + " " + request + " -> " + answer);
                }
            }
            assertThat(defects).as("seed %d", seed).isEmpty();
            int expected = sessionsBefore + created;
            await().untilAsserted(() -> assertThat(ydb.emulator.sessions()).isLessThanOrEqualTo(expected));
            assertThat(ydb.session()).isNotEmpty();
            ydb.emulator.restartNode();
            assertThat(ydb.emulator.database().runningTransactions()).isZero();
        }
    }

    @Test
    void tellsOfEachMethodThatBytesAreNoMessageOfIt() throws Exception {
        byte[] noMessage = {(byte) 0xff, (byte) 0xff, (byte) 0xff};
        try (RawYdb ydb = RawYdb.start()) {
            SoftAssertions answers = new SoftAssertions();
            for (MethodDescriptor method : all().toList()) {
                answers.assertThat(call(ydb, method, noMessage))
                        .as(method.getFullName())
                        .startsWith("INTERNAL:")
                        .contains("Invalid protobuf byte sequence");
            }
            answers.assertAll();
            assertThat(ydb.session()).isNotEmpty();
        }
    }

    private static String call(RawYdb ydb, MethodDescriptor method, byte[] request)
            throws com.google.protobuf.InvalidProtocolBufferException {
        io.grpc.MethodDescriptor<byte[], byte[]> raw = io.grpc.MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(
                        method.isServerStreaming()
                                ? io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING
                                : io.grpc.MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(io.grpc.MethodDescriptor.generateFullMethodName(
                        method.getService().getFullName(), method.getName()))
                .setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES)
                .build();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
        StringBuilder answers = new StringBuilder();
        try {
            Iterator<byte[]> parts = ClientCalls.blockingServerStreamingCall(ydb.channel(), raw, options, request);
            while (parts.hasNext()) {
                answers.append(com.google.protobuf.DynamicMessage.parseFrom(method.getOutputType(), parts.next()));
            }
        } catch (StatusRuntimeException transport) {
            answers.append(transport.getStatus().getCode()).append(':').append(transport.getMessage());
        }
        return answers.toString();
    }
}
