package io.aardappel.emulator.grpc;

import io.aardappel.emulator.model.table.Declarations;
import io.aardappel.emulator.model.table.KeyRange;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.time.VirtualTimestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.YdbQueryStats.OperationStats;
import tech.ydb.proto.YdbQueryStats.QueryPhaseStats;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.YdbQueryStats.TableAccessStats;

/** A transaction that counts which rows each query of it reads and writes. Used like any transaction: calls do not overlap. */
final class MeasuredTransaction implements Transaction {
    private static final class Access {
        long reads;
        long updates;
        long deletes;
    }

    private final Transaction measured;
    private final Map<String, Access> byTable = new LinkedHashMap<>();

    MeasuredTransaction(Transaction measured) {
        this.measured = measured;
    }

    /** Counts from zero. */
    void reset() {
        byTable.clear();
    }

    /** What was counted, as the statistics of a query that took so long. */
    QueryStats stats(long nanos) {
        long micros = Math.max(1, nanos / 1_000);
        QueryPhaseStats.Builder phase = QueryPhaseStats.newBuilder()
                .setDurationUs(micros)
                .setCpuTimeUs(micros)
                .setAffectedShards(byTable.size());
        byTable.forEach((path, access) -> phase.addTableAccess(TableAccessStats.newBuilder()
                .setName(path)
                .setReads(rows(access.reads))
                .setUpdates(rows(access.updates))
                .setDeletes(rows(access.deletes))
                .setPartitionsCount(1)));
        return QueryStats.newBuilder()
                .addQueryPhases(phase)
                .setTotalDurationUs(micros)
                .setTotalCpuTimeUs(micros)
                .setProcessCpuTimeUs(micros)
                .build();
    }

    private static OperationStats rows(long count) {
        return OperationStats.newBuilder().setRows(count).build();
    }

    private Access access(TableSchema table) {
        return byTable.computeIfAbsent(table.path(), path -> new Access());
    }

    @Override
    public String id() {
        return measured.id();
    }

    @Override
    public Mode mode() {
        return measured.mode();
    }

    @Override
    public boolean finished() {
        return measured.finished();
    }

    @Override
    public TableSchema schema(String path) {
        return measured.schema(path);
    }

    @Override
    public Declarations declarations(String path) {
        return measured.declarations(path);
    }

    @Override
    public @Nullable Object defaultOf(TableSchema table, int ordinal) {
        return measured.defaultOf(table, ordinal);
    }

    @Override
    public @Nullable Object @Nullable [] get(TableSchema table, List<@Nullable Object> key) {
        access(table).reads++;
        return measured.get(table, key);
    }

    @Override
    public void scan(TableSchema table, KeyRange range, boolean reverse, Predicate<@Nullable Object[]> consumer) {
        Access access = access(table);
        measured.scan(table, range, reverse, row -> {
            access.reads++;
            return consumer.test(row);
        });
    }

    @Override
    public boolean write(TableSchema table, RowWrite write) {
        Access access = access(table);
        if (write.kind() == RowWrite.Kind.DELETE) {
            access.deletes++;
        } else {
            access.updates++;
        }
        return measured.write(table, write);
    }

    @Override
    public void enlist(Participant participant) {
        measured.enlist(participant);
    }

    @Override
    public VirtualTimestamp commit() {
        return measured.commit();
    }

    @Override
    public void rollback() {
        measured.rollback();
    }
}
