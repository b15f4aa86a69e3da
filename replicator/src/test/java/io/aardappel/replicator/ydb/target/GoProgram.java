package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.contract.TableName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/** The other replication program as the destination sees it: its statements, its lock, its data transaction. */
final class GoProgram implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final TableSession session;
    private final String state;
    private final String owner;

    GoProgram(GrpcTransport transport, TableName stateTable, String owner) {
        this.session = new TableSession(new Calls(transport));
        this.state = stateTable.quoted();
        this.owner = owner;
    }

    /** Takes or renews; writes the row even when it loses. Gives the owner it reads, absent when the call failed. */
    Optional<String> takes(Duration ttl) {
        String text = """
                DECLARE $LOCK_NAME AS Utf8;
                DECLARE $OWNER AS Utf8;
                DECLARE $TTL AS Interval;

                $ts = CurrentUtcTimestamp();
                $new_ts = $ts + $TTL;

                upsert into $STATE
                select
                    id,
                    if(lock_owner == $OWNER, lock_owner, if($ts >= lock_deadline ?? $ts, $OWNER, lock_owner)) as lock_owner,
                    if(lock_owner == $OWNER, $new_ts, if($ts >= lock_deadline ?? $ts, $new_ts, lock_deadline)) as lock_deadline
                from $STATE
                where id == $LOCK_NAME;

                select lock_owner, lock_deadline from $STATE where id == $LOCK_NAME;
                """.replace("$STATE", state);
        Result<ExecuteQueryResult> result = session.execute(
                text,
                Map.of("$LOCK_NAME", Params.utf8("inst"), "$OWNER", Params.utf8(owner), "$TTL", Params.interval(ttl)),
                TableSession.beginAndCommit(),
                TIMEOUT);
        return result.isSuccess()
                ? ResultRow.first(result.getValue().getResultSets(0)).map(row -> row.text("lock_owner"))
                : Optional.empty();
    }

    boolean holds(Duration ttl) {
        return takes(ttl).filter(owner::equals).isPresent();
    }

    /** One row and the checkpoint one step on, in a transaction that proves the lock. Gives the step when it is durable. */
    Optional<Long> commits(String table, String value) {
        Result<ExecuteQueryResult> proof = session.execute(
                "SELECT lock_owner, step_id FROM " + state + " WHERE id = 'inst'",
                Map.of(),
                TableSession.begin(),
                TIMEOUT);
        if (!proof.isSuccess()) {
            return Optional.empty();
        }
        ResultRow row = ResultRow.first(proof.getValue().getResultSets(0)).orElseThrow();
        String transaction = proof.getValue().getTxMeta().getId();
        Long step = row.number("step_id");
        if (!owner.equals(row.text("lock_owner")) || step == null) {
            session.rollback(transaction, TIMEOUT);
            return Optional.empty();
        }
        boolean done = session.execute(
                        "UPSERT INTO `" + table + "` (k, v) VALUES ($k, $v);\nUPSERT INTO " + state
                                + " (id, step_id, tx_id, stage) VALUES ('inst', $k, 0ul, 'RUN');",
                        Map.of("$k", Params.uint64(step + 1), "$v", Params.utf8(value)),
                        TableSession.within(transaction, true),
                        TIMEOUT)
                .isSuccess();
        return done ? Optional.of(step + 1) : Optional.empty();
    }

    /** Columns of the row as text, NULL as such. */
    List<String> reads(String... columns) {
        ResultRow row = row().orElseThrow();
        return Arrays.stream(columns)
                .map(column -> {
                    boolean number = column.equals("step_id") || column.equals("tx_id");
                    Object value = number ? row.number(column) : row.text(column);
                    return value == null ? "NULL" : value.toString();
                })
                .toList();
    }

    /** What it says when it will not go on with the row, which it judges once it holds the lock; empty when it goes on. */
    Optional<String> refuses() {
        Optional<ResultRow> found = row();
        if (found.isEmpty() || found.get().text("state") == null) {
            return Optional.of("no row, or state is NULL");
        }
        ResultRow row = found.get();
        if (row.number("step_id") == null || row.number("tx_id") == null) {
            return Optional.of("no checkpoint");
        }
        if (!"OK".equals(row.text("state"))) {
            return Optional.of(
                    row.text("last_msg") == null ? "panic" : row.text("state") + ": " + row.text("last_msg"));
        }
        return row.text("stage") == null ? Optional.of("panic") : Optional.empty();
    }

    private Optional<ResultRow> row() {
        Result<ExecuteQueryResult> read = session.execute(
                "SELECT step_id, tx_id, state, stage, last_msg FROM " + state + " WHERE id = 'inst'",
                Map.of(),
                TableSession.beginAndCommit(),
                TIMEOUT);
        return ResultRow.first(read.getValue().getResultSets(0));
    }

    @Override
    public void close() {
        session.close();
    }
}
