package io.aardappel.operator.observe;

import io.aardappel.access.failure.Cause;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.contract.Membership;
import io.aardappel.contract.Stage;
import io.aardappel.contract.State;
import io.aardappel.contract.StateTable;
import io.aardappel.contract.StreamTable;
import io.aardappel.contract.TableName;
import io.aardappel.operator.plan.StateSeen;
import io.aardappel.operator.plan.StreamKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;
import tech.ydb.table.query.Params;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.result.ValueReader;
import tech.ydb.table.values.ListType;
import tech.ydb.table.values.PrimitiveType;
import tech.ydb.table.values.PrimitiveValue;
import tech.ydb.table.values.Value;

/**
 * Reads what a state table, and ours beside it, say of many instances: one query to each table, whatever the number of instances.
 * Changes nothing. Thread-safe.
 */
public final class DestinationRows implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final int SESSIONS = 2;

    private final GrpcTransport transport;
    private final QueryClient client;
    private final SessionRetryContext context;
    private final TableName stateTable;

    /**
     * Reads over this connection, which is closed with it.
     *
     * @param stateTable as a resource has it
     */
    public DestinationRows(GrpcTransport transport, TableName stateTable) {
        this.transport = transport;
        this.client =
                QueryClient.newClient(transport).sessionPoolMaxSize(SESSIONS).build();
        this.context = SessionRetryContext.create(client)
                .idempotent(true)
                .maxRetries(2)
                .sessionCreationTimeout(WITHIN)
                .build();
        this.stateTable = stateTable;
    }

    /**
     * The rows of those instances that have one. Waits for the database, a few seconds at most. When the checkpoint was seen to
     * move is not in them.
     *
     * @throws UnreadableException when the database does not answer as it should
     */
    public Map<String, StateSeen.Row> read(Collection<String> instances) {
        Map<String, List<StateSeen.StreamSeen>> streams = new HashMap<>();
        query(
                "SELECT id, topic, consumer, dst_table, state, message FROM "
                        + StreamTable.beside(stateTable).quoted() + " WHERE id IN $ids;",
                instances,
                row -> streams.computeIfAbsent(text(row, StreamTable.ID), id -> new ArrayList<>())
                        .add(stream(row)));
        Map<String, StateSeen.Row> rows = new HashMap<>();
        query(
                "SELECT id, step_id, tx_id, state, stage, last_msg, lock_owner, (lock_deadline > CurrentUtcTimestamp()) AS held"
                        + " FROM " + stateTable.quoted() + " WHERE id IN $ids;",
                instances,
                row -> {
                    String id = text(row, StateTable.ID);
                    rows.put(id, row(row, streams.getOrDefault(id, List.of())));
                });
        return rows;
    }

    private static StateSeen.StreamSeen stream(ResultSetReader row) {
        return new StateSeen.StreamSeen(
                new StreamKey(text(row, StreamTable.TOPIC), text(row, StreamTable.CONSUMER)),
                Membership.ofWord(text(row, StreamTable.STATE)),
                text(row, StreamTable.DST_TABLE),
                text(row, StreamTable.MESSAGE));
    }

    private static StateSeen.Row row(ResultSetReader row, List<StateSeen.StreamSeen> streams) {
        ValueReader held = row.getColumn("held");
        return new StateSeen.Row(
                number(row, StateTable.STEP_ID),
                number(row, StateTable.TX_ID),
                text(row, StateTable.STATE).equals(State.FATAL_ERROR.name()),
                Stage.ofWord(text(row, StateTable.STAGE)),
                text(row, StateTable.LAST_MSG),
                text(row, StateTable.LOCK_OWNER),
                held.isOptionalItemPresent() && held.getBool(),
                Optional.empty(),
                streams);
    }

    private static String text(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return value.isOptionalItemPresent() ? value.getText() : "";
    }

    private static long number(ResultSetReader row, String column) {
        ValueReader value = row.getColumn(column);
        return value.isOptionalItemPresent() ? value.getUint64() : 0;
    }

    /** A table that is not there has no rows: the replicator makes it when it first starts. */
    private void query(String text, Collection<String> instances, Consumer<ResultSetReader> each) {
        Value<?>[] ids = instances.stream().map(PrimitiveValue::newText).toArray(Value[]::new);
        Params params = Params.of("$ids", ListType.of(PrimitiveType.Text).newValue(List.of(ids)));
        Result<QueryReader> answer;
        try {
            answer = context.supplyResult(
                            session -> QueryReader.readFrom(session.createQuery(text, TxMode.SNAPSHOT_RO, params)))
                    .orTimeout(WITHIN.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failed) {
            throw new UnreadableException(Cause.of(failed));
        }
        if (answer.isSuccess()) {
            for (ResultSetReader part : answer.getValue()) {
                while (part.next()) {
                    each.accept(part);
                }
            }
        } else if (answer.getStatus().getCode() != StatusCode.SCHEME_ERROR) {
            throw new UnreadableException(StatusText.of(answer.getStatus()));
        }
    }

    @Override
    public void close() {
        client.close();
        transport.close();
    }

    /** The state table could not be read; the message tells a person why. */
    public static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }
}
