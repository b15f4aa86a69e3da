package io.aardappel.e2e.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.Result;
import tech.ydb.proto.ValueProtos;
import tech.ydb.query.QueryClient;
import tech.ydb.query.QuerySession;
import tech.ydb.query.QueryTransaction;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.table.result.ResultSetReader;

/** Reads the destination as a user would: the state row and every table in one serializable transaction. */
final class Replica {
    /**
     * What one transaction saw.
     *
     * @param tables empty when only the state row was read
     */
    record Snapshot(String stage, long step, long txId, String owner, Map<SourceTable, Rows> tables) {
        boolean isBefore(Snapshot other) {
            int bySteps = Long.compareUnsigned(step, other.step);
            return bySteps < 0 || (bySteps == 0 && Long.compareUnsigned(txId, other.txId) < 0);
        }

        @Override
        public String toString() {
            return "%s [%s,%s] of %s".formatted(stage, Long.toUnsignedString(step), Long.toUnsignedString(txId), owner);
        }

        boolean isRun() {
            return stage.equals("RUN");
        }

        int rows() {
            return tables.values().stream().mapToInt(Rows::size).sum();
        }
    }

    private final QueryClient client;
    private final String stateTable;
    private final String instanceId;
    private final List<SourceTable> tables;
    private final TableColumns columns;

    Replica(QueryClient client, String stateTable, String instanceId, List<SourceTable> tables, TableColumns columns) {
        this.client = client;
        this.stateTable = stateTable;
        this.instanceId = instanceId;
        this.tables = tables;
        this.columns = columns;
    }

    /**
     * The checkpoint with all rows; null when there is no state row yet, or a fault broke the transaction off.
     *
     * @param wanted whether the rows are read too, of a snapshot without them: reading them is most of the work
     */
    @Nullable
    Snapshot snapshot(Predicate<Snapshot> wanted) {
        Result<QuerySession> created =
                client.createSession(Duration.ofSeconds(10)).join();
        if (!created.isSuccess()) {
            return null;
        }
        try (QuerySession session = created.getValue()) {
            QueryTransaction transaction = session.createNewTransaction(TxMode.SERIALIZABLE_RW);
            Result<QueryReader> state = QueryReader.readFrom(
                            transaction.createQuery("SELECT stage, step_id, tx_id, lock_owner FROM `" + stateTable
                                    + "` WHERE id = '" + instanceId + "';"))
                    .join();
            if (!state.isSuccess() || !state.getValue().getResultSet(0).next()) {
                return null;
            }
            ResultSetReader row = state.getValue().getResultSet(0);
            String stage = row.getColumn("stage").getText();
            long step = row.getColumn("step_id").getUint64();
            long txId = row.getColumn("tx_id").getUint64();
            String owner = row.getColumn("lock_owner").getText();
            Snapshot withoutRows = new Snapshot(stage, step, txId, owner, Map.of());
            if (!wanted.test(withoutRows)) {
                return transaction.commit().join().isSuccess() ? withoutRows : null;
            }
            Map<SourceTable, Rows> rows = new LinkedHashMap<>();
            for (SourceTable table : tables) {
                Rows read = rows(transaction, table, columns.of(table, TableColumns.Side.DESTINATION));
                if (read == null) {
                    return null;
                }
                rows.put(table, read);
            }
            if (!transaction.commit().join().isSuccess()) {
                return null;
            }
            return new Snapshot(stage, step, txId, owner, rows);
        }
    }

    /** The SDK cannot read a DyNumber, but its text. */
    private static String selected(SourceTable.Column column) {
        String name = "`" + column.name() + "`";
        return column.type() == ColumnType.DYNUMBER ? "CAST(" + name + " AS Utf8) AS " + name : name;
    }

    private static @Nullable Rows rows(
            QueryTransaction transaction, SourceTable table, List<SourceTable.Column> columns) {
        String names = columns.stream().map(Replica::selected).collect(Collectors.joining(", "));
        Result<QueryReader> result = QueryReader.readFrom(
                        transaction.createQuery("SELECT " + names + " FROM `" + table.name() + "`;"))
                .join();
        if (!result.isSuccess()) {
            return null;
        }
        Rows rows = new Rows(table, columns);
        for (ResultSetReader set : result.getValue()) {
            if (set.isTruncated()) {
                throw new IllegalStateException("reading " + table.name() + " was truncated");
            }
            while (set.next()) {
                List<ValueProtos.Value> values = new ArrayList<>();
                for (int i = 0; i < set.getColumnCount(); i++) {
                    values.add(set.getColumn(i).getValue().toPb());
                }
                rows.add(values);
            }
        }
        return rows;
    }
}
