package io.aardappel.replicator.ydb.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.aardappel.access.auth.Ticket;
import io.aardappel.access.ydb.Address;
import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.Connection;
import io.aardappel.contract.TableName;
import io.aardappel.emulator.YdbEmulator;
import io.aardappel.replicator.codec.TableShape;
import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Columns;
import io.aardappel.replicator.core.Key;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRecord.Operation;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.core.TableWrites;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * An emulator as tests of the destination want it: tables and a state table of their own for each test, a session beside
 * the target's, and small batches.
 */
@SuppressWarnings("try") // close may be interrupted, and the test then is
final class Destination implements AutoCloseable {
    static final TargetSettings SETTINGS = new TargetSettings(
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofMillis(5),
            Duration.ofMillis(100),
            4,
            10_000,
            40 << 20,
            1_000);

    /** Of the test's own statements, on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final AtomicInteger NAMES = new AtomicInteger();

    final GrpcTransport transport;
    final DestinationTables tables;
    final TableName stateTable;
    final String table;
    private final TableSession session;
    private final List<AutoCloseable> closing = new ArrayList<>();

    Destination(YdbEmulator ydb) {
        int number = NAMES.incrementAndGet();
        this.transport = new Connection(
                        new Address(
                                false, "localhost", ydb.port(), ydb.database().path()),
                        false,
                        Ticket.none(),
                        null,
                        Connection.CONNECT_TIMEOUT)
                .open();
        Calls calls = new Calls(transport);
        this.tables = new DestinationTables(new Descriptions(calls, SETTINGS.callTimeout()), calls.database());
        this.session = new TableSession(calls);
        this.stateTable = new TableName("state" + number);
        this.table = ydb.database().path() + "/t" + number;
    }

    /** {@code k Uint64 NOT NULL} is the key, {@code v Utf8} the value. */
    void createTable() {
        createTable("k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k)");
    }

    void createTable(String body) {
        scheme("CREATE TABLE `" + table + "` (" + body + ")");
    }

    void scheme(String text) {
        Status status = session.executeScheme(text, PATIENCE);
        assertThat(status.isSuccess()).as("%s: %s", text, status).isTrue();
    }

    DrivenTarget target(String hostname) {
        return target(hostname, SETTINGS);
    }

    DrivenTarget target(String hostname, TargetSettings settings) {
        return target(hostname, settings, CommitDiscipline.SOUND);
    }

    DrivenTarget target(String hostname, TargetSettings settings, CommitDiscipline discipline) {
        DrivenTarget made = new DrivenTarget(transport, stateTable, hostname, settings, tables, discipline);
        closing.add(made);
        return made;
    }

    /** One of another instance in the same state table. */
    DrivenTarget targetOf(String instance) {
        YdbTarget.Identity identity = new YdbTarget.Identity(stateTable, instance, "host-of-" + instance);
        DrivenTarget made = new DrivenTarget(transport, identity, SETTINGS, tables, CommitDiscipline.SOUND);
        closing.add(made);
        return made;
    }

    ExecuteQueryResult query(String text) {
        return query(text, Map.of());
    }

    /** In a transaction of its own, with {@code $STATE} and {@code $TABLE} put in. */
    ExecuteQueryResult query(String text, Map<String, TypedValue> parameters) {
        Result<ExecuteQueryResult> result = tryQuery(text, parameters);
        assertThat(result.isSuccess()).as("%s: %s", text, result.getStatus()).isTrue();
        return result.getValue();
    }

    Result<ExecuteQueryResult> tryQuery(String text, Map<String, TypedValue> parameters) {
        String filled = text.replace("$STATE", stateTable.quoted()).replace("$TABLE", "`" + table + "`");
        return session.execute(filled, parameters, TableSession.beginAndCommit(), PATIENCE);
    }

    ResultRow stateRow() {
        return ResultRow.first(query("SELECT * FROM $STATE WHERE id = 'inst'").getResultSets(0))
                .orElseThrow();
    }

    ResultRow instanceRow() {
        return ResultRow.first(query("SELECT * FROM `" + stateTable.path() + "_instances` WHERE id = 'inst'")
                        .getResultSets(0))
                .orElseThrow();
    }

    @Nullable
    Position checkpoint() {
        return Proof.position(stateRow(), "step_id", "tx_id");
    }

    /** Values of {@code v} by key. */
    Map<Long, @Nullable String> rows() {
        Map<Long, @Nullable String> rows = new TreeMap<>();
        for (ResultRow row : ResultRow.all(query("SELECT k, v FROM $TABLE").getResultSets(0))) {
            Long key = row.number("k");
            assertThat(key).isNotNull();
            rows.put(key, row.text("v"));
        }
        return rows;
    }

    RowWrite write(Operation operation, long key, Map<String, ?> cells) {
        TableShape shape = shape();
        TreeMap<Integer, @Nullable Object> byOrdinal = new TreeMap<>();
        cells.forEach((name, cell) -> byOrdinal.put(shape.ordinal(name), cell));
        int[] ordinals = byOrdinal.keySet().stream().mapToInt(Integer::intValue).toArray();
        return new RowWrite(
                new Key(key),
                operation,
                new Columns(ordinals, byOrdinal.values().toArray()),
                new PartitionId(0, 0),
                new Position(1, 1));
    }

    RowWrite upsert(long key, String value) {
        return write(Operation.UPDATE, key, Map.of("v", value));
    }

    RowWrite erase(long key) {
        return write(Operation.ERASE, key, Map.of());
    }

    TableShape shape() {
        return tables.known(table).orElseGet(() -> {
            assertThat(tables.read(table)).isInstanceOf(DestinationTables.Reading.Known.class);
            return tables.current(table);
        });
    }

    /** Writes the rows and the checkpoint {@code [step, 0]} in stage RUN. */
    Batch batch(long number, long step, RowWrite... rows) {
        return batch(number, Optional.of(new Position(step, 0)), List.of(), rows);
    }

    Batch batch(long number, Optional<Position> checkpoint, List<StreamRow> streams, RowWrite... rows) {
        List<RowWrite> erases = Arrays.stream(rows)
                .filter(row -> row.operation() == Operation.ERASE)
                .toList();
        List<RowWrite> writes = Arrays.stream(rows)
                .filter(row -> row.operation() != Operation.ERASE)
                .toList();
        return new Batch(
                number,
                rows.length == 0 ? List.of() : List.of(new TableWrites(table, erases, writes)),
                checkpoint,
                Stage.RUN,
                Position.ZERO,
                ScanPhase.NONE,
                streams,
                List.of(),
                rows.length,
                rows.length,
                rows.length);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : closing) {
            one.close();
        }
        session.close();
        transport.close();
    }
}
