package io.aardappel.bench.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tech.ydb.core.Status;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.table.SessionRetryContext;
import tech.ydb.table.TableClient;
import tech.ydb.table.query.Params;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.ListValue;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.StructType;
import tech.ydb.table.values.Value;

/** Rows upserted by queries of a thousand rows each, into a table of four shards whose changefeed keeps pace. */
final class RowWriting implements AutoCloseable {
    static final int BATCH_ROWS = 1_000;
    private static final String UPSERT =
            "DECLARE $rows AS List<Struct<id:Uint64,tenant:Uint64,name:Utf8,note:Utf8,amount:Int64>>;"
                    + " UPSERT INTO measured (id, tenant, name, note, amount)"
                    + " SELECT id, tenant, name, note, amount FROM AS_TABLE($rows);";
    private static final StructType ROW = StructType.of(Map.of(
            "id", PrimitiveType.Uint64,
            "tenant", PrimitiveType.Uint64,
            "name", PrimitiveType.Text,
            "note", PrimitiveType.Text,
            "amount", PrimitiveType.Int64));

    private final GrpcTransport transport;
    private final TableClient client;
    private final SessionRetryContext sessions;
    private long next;

    RowWriting(String url) {
        transport = GrpcTransport.forConnectionString(url).build();
        client = TableClient.newClient(transport).build();
        sessions = SessionRetryContext.create(client).build();
    }

    /** The table with a changefeed of virtual timestamps and barriers, as a replicator reads it. */
    void create() {
        scheme("CREATE TABLE measured (id Uint64 NOT NULL, tenant Uint64 NOT NULL, name Utf8, note Utf8, amount Int64,"
                + " PRIMARY KEY (id, tenant)) WITH (UNIFORM_PARTITIONS = 4)");
        scheme("ALTER TABLE measured ADD CHANGEFEED feed WITH (MODE = 'UPDATES', FORMAT = 'JSON',"
                + " VIRTUAL_TIMESTAMPS = TRUE, RESOLVED_TIMESTAMPS = Interval('PT1S'))");
    }

    private void scheme(String text) {
        sessions.supplyStatus(session -> session.executeSchemeQuery(text))
                .join()
                .expectSuccess("cannot execute " + text);
    }

    /** Writes so many batches, one after the other. */
    void write(int batches) {
        for (int i = 0; i < batches; i++) {
            Params rows = Params.of("$rows", batch());
            Status status = sessions.supplyResult(session -> session.executeDataQuery(
                            UPSERT, TxControl.serializableRw().setCommitTx(true), rows))
                    .join()
                    .getStatus();
            status.expectSuccess("a batch was refused");
        }
    }

    private ListValue batch() {
        List<Value<?>> rows = new ArrayList<>(BATCH_ROWS);
        for (int i = 0; i < BATCH_ROWS; i++) {
            long id = Long.reverse(next) ^ next;
            next++;
            rows.add(ROW.newValue(Map.of(
                    "id", PrimitiveValue.newUint64(id),
                    "tenant", PrimitiveValue.newUint64(next % 100),
                    "name", PrimitiveValue.newText("name of " + next),
                    "note", PrimitiveValue.newText("a note of some length that stands for payload " + next),
                    "amount", PrimitiveValue.newInt64(next * 7))));
        }
        return ListType.of(ROW).newValue(rows);
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }
}
