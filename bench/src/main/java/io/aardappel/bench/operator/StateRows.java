package io.aardappel.bench.operator;

import io.aardappel.contract.StateTable;
import io.aardappel.contract.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.StructValue;
import tech.ydb.table.values.Value;

/** State rows as active replicators would keep them, each locked by the first pod of its resource. */
final class StateRows implements AutoCloseable {
    /** Resources that share a state table. */
    private static final int PER_TABLE = 100;

    private static final Duration LOCKED_FOR = Duration.ofDays(1);
    private static final StructType ROW = StructType.of(Map.of(
            StateTable.ID, PrimitiveType.Text,
            StateTable.STEP_ID, PrimitiveType.Uint64,
            StateTable.TX_ID, PrimitiveType.Uint64,
            StateTable.STATE, PrimitiveType.Text,
            StateTable.STAGE, PrimitiveType.Text,
            StateTable.LOCK_OWNER, PrimitiveType.Text,
            StateTable.LOCK_DEADLINE, PrimitiveType.Timestamp));

    private final String url;
    private final String prefix;
    private final GrpcTransport transport;
    private final TableClient client;
    private final SessionRetryContext context;

    /**
     * None yet.
     *
     * @param prefix of the tables' names
     * @param url as the SDK takes it
     */
    StateRows(String url, String prefix) {
        this.url = url;
        this.prefix = prefix;
        this.transport = GrpcTransport.forConnectionString(url).build();
        this.client = TableClient.newClient(transport).build();
        this.context = SessionRetryContext.create(client).idempotent(true).build();
    }

    /** Of the database. */
    String url() {
        return url;
    }

    /** Of the resource with this number. */
    String table(int number) {
        return prefix + number / PER_TABLE;
    }

    /** Of the resource with this number. */
    static String instance(int number) {
        return "copy-" + number;
    }

    /** Makes the tables of so many resources. */
    void define(int resources) {
        for (int number = 0; number < resources; number += PER_TABLE) {
            String statement = StateTable.createIfAbsent(TableName.parse(table(number)));
            require(context.supplyStatus(session -> session.executeSchemeQuery(statement))
                    .join());
        }
    }

    /** Sets the checkpoints of these resources: one transaction to each table. */
    void put(List<Integer> numbers, long step) {
        Map<String, List<Value<?>>> byTable = new TreeMap<>();
        numbers.forEach(number -> byTable.computeIfAbsent(table(number), table -> new ArrayList<>())
                .add(row(number, step)));
        byTable.forEach(this::put);
    }

    private void put(String table, List<Value<?>> rows) {
        String text = "UPSERT INTO " + TableName.parse(table).quoted() + " SELECT * FROM AS_TABLE($rows);";
        Params params = Params.of("$rows", ListType.of(ROW).newValue(List.copyOf(rows)));
        require(context.supplyResult(session -> session.executeDataQuery(text, TxControl.serializableRw(), params))
                .join()
                .getStatus());
    }

    private static StructValue row(int number, long step) {
        Instant deadline = Instant.now().plus(LOCKED_FOR);
        return ROW.newValue(Map.of(
                StateTable.ID, PrimitiveValue.newText(instance(number)),
                StateTable.STEP_ID, PrimitiveValue.newUint64(step),
                StateTable.TX_ID, PrimitiveValue.newUint64(1),
                StateTable.STATE, PrimitiveValue.newText("OK"),
                StateTable.STAGE, PrimitiveValue.newText("RUN"),
                StateTable.LOCK_OWNER,
                        PrimitiveValue.newText(StateTable.OWNER_PREFIX + StandIn.activePod(instance(number)) + "_1"),
                StateTable.LOCK_DEADLINE, PrimitiveValue.newTimestamp(deadline)));
    }

    private static void require(Status status) {
        if (!status.isSuccess()) {
            throw new IllegalStateException("the database refused: " + status);
        }
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
