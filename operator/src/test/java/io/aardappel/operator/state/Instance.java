package io.aardappel.operator.state;

import io.aardappel.contract.DecisionTable;
import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.ReplayTable;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.crds.api.Replication;
import io.aardappel.emulator.YdbEmulator;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcReadStream;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.result.ValueReader;
import tech.ydb.table.values.Type;

/** A state table of its own in an emulator, and a resource of whose instance {@code a} the rows in it are. One thread only. */
final class Instance implements AutoCloseable {
    static final String OPERATOR = "lock_operator-0_";
    private static final AtomicInteger NAMES = new AtomicInteger();

    final TableName table = new TableName("state" + NAMES.incrementAndGet());
    final Replication resource;
    private final GrpcTransport transport;
    private final QueryClient client;
    private final AtomicReference<Function<ExecuteQueryRequest, Answer>> hook =
            new AtomicReference<>(request -> Answer.AS_IT_IS);

    /** What becomes of a query of the operator. */
    enum Answer {
        AS_IT_IS,
        /** It is not sent, and answered as such. */
        NOT_SENT,
        /** It is carried out, and its answer says that this is not known. */
        UNKNOWN
    }

    Instance(YdbEmulator ydb) {
        this.resource = Serialization.unmarshal("""
                apiVersion: aardappel.ydb.tech/v1alpha1
                kind: Replication
                metadata: {name: shop, namespace: copies}
                spec:
                  instanceId: a
                  source: {connectionString: "grpc://source:2136/src", auth: {anonymous: {}}}
                  destination: {connectionString: "grpc://copy:2136/local", auth: {anonymous: {}}}
                  stateTable: %s
                  streams: [{sourceTopic: goods/feed, consumer: c, destinationTable: goods}]
                """.formatted(table.path()), Replication.class);
        this.transport = open(ydb.connectionString());
        this.client = QueryClient.newClient(transport).sessionPoolMaxSize(4).build();
    }

    static GrpcTransport open(String connectionString) {
        return GrpcTransport.forConnectionString(connectionString)
                .withConnectTimeout(Duration.ofSeconds(5))
                .build();
    }

    /** Is asked before each query of the changes, in their thread. */
    void beforeQueries(Function<ExecuteQueryRequest, Answer> action) {
        hook.set(action);
    }

    DestinationChanges changes() {
        return changes(Duration.ofSeconds(20));
    }

    /** Over the one connection, which they cannot close. */
    DestinationChanges changes(Duration within) {
        return new DestinationChanges(ignored -> hooked(transport), "operator-0", within);
    }

    private GrpcTransport hooked(GrpcTransport inner) {
        return (GrpcTransport) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {GrpcTransport.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    Answer answer = arguments != null
                                    && arguments.length == 3
                                    && arguments[2] instanceof ExecuteQueryRequest query
                            ? hook.get().apply(query)
                            : Answer.AS_IT_IS;
                    try {
                        Object made = method.invoke(inner, arguments);
                        return answer == Answer.AS_IT_IS ? made : new Spoiled<>((GrpcReadStream<?>) made, answer);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    /** A call whose answer is lost, or that is. */
    private record Spoiled<R>(GrpcReadStream<R> call, Answer answer) implements GrpcReadStream<R> {
        @Override
        public CompletableFuture<Status> start(Observer<R> observer) {
            return answer == Answer.NOT_SENT
                    ? CompletableFuture.completedFuture(Status.of(StatusCode.UNAVAILABLE))
                    : call.start(ignored -> {}).thenApply(status -> Status.of(StatusCode.UNDETERMINED));
        }

        @Override
        public void cancel() {
            call.cancel();
        }
    }

    /** As only the Go program makes it. */
    Instance createStateTable() {
        define(StateTable.createIfAbsent(table));
        return this;
    }

    Instance createTables() {
        List.of(
                        StateTable.createIfAbsent(table),
                        InstanceTable.createIfAbsent(table),
                        StreamTable.createIfAbsent(table),
                        DecisionTable.createIfAbsent(table),
                        ReplayTable.createIfAbsent(table))
                .forEach(this::define);
        return this;
    }

    /** Two streams, decisions and a replay of an instance; its lock is free. */
    Instance writeRows(String id, String stage) {
        write("UPSERT INTO $S (id, step_id, tx_id, state, stage, lock_owner, lock_deadline) VALUES ('" + id
                + "', 10ul, 7ul, 'OK', '" + stage + "', 'lock_pod-1_x', CurrentUtcTimestamp() - Interval('PT1S'))");
        write(
                "UPSERT INTO $S_instances (id, commit_seq, owner, attempt, vouched_step, vouched_tx, phase, updated_at) VALUES ('"
                        + id + "', 41ul, 'lock_pod-1_x', 3ul, 10ul, 7ul, 'NONE', Timestamp('2026-03-04T05:06:07Z'))");
        for (String topic : new String[] {"goods", "orders"}) {
            write("UPSERT INTO $S_streams (id, topic, consumer, dst_table, state, topic_created_at, offsets) VALUES ('"
                    + id + "', '/src/" + topic + "/feed', 'c', '/local/" + topic + "', 'member', 5ul, '0:9')");
            write("UPSERT INTO $S_decisions (id, topic, consumer, partition_id, topic_offset, action) VALUES ('" + id
                    + "', '/src/" + topic + "/feed', 'c', 0ul, 1ul, 'skip'), ('" + id + "', '/src/" + topic
                    + "/feed', 'c', 0ul, 2ul, 'skip_all')");
        }
        write("UPSERT INTO $S_replays (id, topic, consumer, partition_id, topic_offset, replayed_at, who) VALUES ('"
                + id + "', '/src/goods/feed', 'c', 0ul, 1ul, CurrentUtcTimestamp(), 'me')");
        return this;
    }

    /** Somebody has it for an hour. */
    void lock(String owner) {
        write("UPDATE $S SET lock_owner = '" + owner
                + "', lock_deadline = CurrentUtcTimestamp() + Interval('PT1H') WHERE id = 'a'");
    }

    void define(String statement) {
        run(statement, TxMode.NONE);
    }

    void write(String statement) {
        run(statement, TxMode.SERIALIZABLE_RW);
    }

    /** The rows, one a line, columns parted by a blank; NULL is a dash. */
    String read(String statement) {
        StringJoiner lines = new StringJoiner("\n");
        for (ResultSetReader rows : run(statement, TxMode.SERIALIZABLE_RW)) {
            while (rows.next()) {
                StringJoiner line = new StringJoiner(" ");
                for (int column = 0; column < rows.getColumnCount(); column++) {
                    line.add(plain(rows.getColumn(column)));
                }
                lines.add(line.toString());
            }
        }
        return lines.toString();
    }

    private static String plain(ValueReader column) {
        boolean optional = column.getType().getKind() == Type.Kind.OPTIONAL;
        if (optional && !column.isOptionalItemPresent()) {
            return "-";
        }
        Type type = column.getType();
        String name = optional ? type.unwrapOptional().toString() : type.toString();
        return switch (name) {
            case "Uint64" -> Long.toUnsignedString(column.getUint64());
            case "Bool" -> String.valueOf(column.getBool());
            case "Timestamp" -> column.getTimestamp().toString();
            default -> column.getText();
        };
    }

    private QueryReader run(String statement, TxMode mode) {
        String text = statement.replace("$S", table.path());
        Result<QueryReader> answer = SessionRetryContext.create(client)
                .build()
                .supplyResult(session -> QueryReader.readFrom(session.createQuery(text, mode)))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        answer.getStatus().expectSuccess(text);
        return answer.getValue();
    }

    /** A session of the test's own. */
    QuerySession session() {
        return client.createSession(Duration.ofSeconds(5)).join().getValue();
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
