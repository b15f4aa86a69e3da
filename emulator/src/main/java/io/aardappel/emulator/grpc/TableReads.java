package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.value.ResultSets;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.model.table.RowWrite;
import io.aardappel.emulator.model.table.TableSchema;
import io.aardappel.emulator.model.table.Transaction;
import io.aardappel.emulator.model.table.Transaction.Mode;
import io.aardappel.emulator.model.value.Type;
import io.aardappel.emulator.query.QueryEngine.Compiled;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.common.CommonProtos;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.BulkUpsertResult;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryPartialResponse;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryPartialResult;
import tech.ydb.proto.table.YdbTable.ExecuteScanQueryRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsResponse;
import tech.ydb.proto.table.YdbTable.ReadTableRequest;
import tech.ydb.proto.table.YdbTable.ReadTableResponse;
import tech.ydb.proto.table.YdbTable.ReadTableResult;

/** Requests of the table service that read or write rows without a session's transaction. */
final class TableReads {
    private final ServerContext context;
    private final Calls calls;
    private final Queries queries;

    TableReads(ServerContext context, Calls calls, Queries queries) {
        this.context = context;
        this.calls = calls;
        this.queries = queries;
    }

    // ---- StreamReadTable

    void streamReadTable(ReadTableRequest request, StreamObserver<ReadTableResponse> observer) {
        PacedStream.run(
                observer,
                context.workers(),
                refusal -> ReadTableResponse.newBuilder()
                        .setStatus(StatusCodec.encode(refusal.status()))
                        .addAllIssues(StatusCodec.encode(refusal.issues()))
                        .build(),
                stream -> {
                    Database database = context.databases().ofCall().database();
                    Site site = Queries.siteOf(database, Operation.READ_TABLE, request.getPath());
                    calls.refuseByFault(site);
                    queries.inSession(request.getSessionId(), site, session -> {
                        inTransaction(session.database(), Mode.SNAPSHOT_READ_ONLY, transaction -> {
                            readTable(session.database(), transaction, request, stream);
                            return true;
                        });
                        return true;
                    });
                });
    }

    private void readTable(
            Database database,
            Transaction transaction,
            ReadTableRequest request,
            PacedStream<ReadTableResponse> stream) {
        TableSchema table = transaction.schema(Databases.absolute(database, request.getPath()));
        List<String> names = columns(table, request.getColumnsList());
        boolean asOptional = request.getReturnNotNullDataAsOptional() == CommonProtos.FeatureFlag.Status.ENABLED;
        int[] ordinals = names.stream().mapToInt(table::indexOf).toArray();
        PartWriter parts = new PartWriter(
                new ResultSets(TableDescriptions.members(table, names, asOptional)),
                positive(request.getBatchLimitRows(), Long.MAX_VALUE),
                positive(request.getBatchLimitBytes(), context.limits().partBytes()),
                set -> stream.send(ReadTableResponse.newBuilder()
                        .setStatus(StatusCode.SUCCESS)
                        .setResult(ReadTableResult.newBuilder().setResultSet(set))
                        .build()));
        long[] left = {positive(request.getRowLimit(), Long.MAX_VALUE)};
        transaction.scan(table, KeyBounds.range(request.getKeyRange(), table), false, row -> {
            parts.add(pick(row, ordinals));
            return --left[0] > 0;
        });
        parts.finish();
    }

    private static long positive(long value, long otherwise) {
        return value > 0 ? value : otherwise;
    }

    private static List<String> columns(TableSchema table, List<String> wanted) {
        if (wanted.isEmpty()) {
            return table.columns().stream().map(column -> column.name()).toList();
        }
        for (String name : wanted) {
            if (table.indexOf(name) < 0) {
                throw new YdbException(Status.SCHEME_ERROR, "Unknown column '" + name + "' of table " + table.path());
            }
        }
        return wanted;
    }

    private static List<@Nullable Object> pick(@Nullable Object[] row, int[] ordinals) {
        @Nullable Object[] picked = new Object[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            picked[i] = row[ordinals[i]];
        }
        return Arrays.asList(picked);
    }

    private <T> T inTransaction(Database database, Mode mode, Function<Transaction, T> work) {
        String user = CallContext.current().user();
        Transaction transaction = database.begin(mode, user);
        try {
            return work.apply(
                    GuardedTransaction.of(transaction, context.accounts().permissions(), user));
        } finally {
            transaction.rollback();
        }
    }

    // ---- ReadRows

    ReadRowsResponse readRows(Database database, ReadRowsRequest request) {
        return inTransaction(database, Mode.ONLINE_READ_ONLY, transaction -> {
            TableSchema table = transaction.schema(Databases.absolute(database, request.getPath()));
            StructRows keys = StructRows.of("Keys", request.getKeys());
            keys.requireExactly(table, table.primaryKey());
            List<String> names = columns(table, request.getColumnsList());
            int[] ordinals = names.stream().mapToInt(table::indexOf).toArray();
            ResultSets writer = new ResultSets(TableDescriptions.members(table, names, false));
            ValueProtos.ResultSet.Builder found = writer.empty();
            int[] keyMembers = keys.members(table.primaryKey());
            for (List<?> key : keys.rows()) {
                @Nullable Object @Nullable [] row = transaction.get(table, StructRows.pick(key, keyMembers));
                if (row != null) {
                    found.addRows(writer.row(pick(row, ordinals)));
                }
            }
            return ReadRowsResponse.newBuilder()
                    .setStatus(StatusCode.SUCCESS)
                    .setResultSet(found)
                    .build();
        });
    }

    // ---- BulkUpsert

    BulkUpsertResult bulkUpsert(Database database, BulkUpsertRequest request) {
        if (request.hasArrowBatchSettings() || request.hasCsvSettings()) {
            throw new YdbException(
                    Status.UNSUPPORTED, "The emulator takes bulk rows as a list of structs, not as Arrow or CSV");
        }
        String path = Databases.absolute(database, request.getTable());
        TableSchema table = inTransaction(database, Mode.SNAPSHOT_READ_ONLY, reader -> reader.schema(path));
        StructRows rows = StructRows.of("Rows", request.getRows());
        rows.requireColumns(table);
        List<String> others = rows.names().stream()
                .filter(name -> !table.primaryKey().contains(name))
                .toList();
        int[] keyMembers = rows.members(table.primaryKey());
        int[] valueMembers = rows.members(others);
        int[] ordinals = others.stream().mapToInt(table::indexOf).toArray();
        List<RowWrite> writes = new ArrayList<>(rows.rows().size());
        for (List<?> row : rows.rows()) {
            writes.add(new RowWrite(
                    RowWrite.Kind.UPSERT,
                    StructRows.pick(row, keyMembers),
                    ordinals,
                    StructRows.pick(row, valueMembers).toArray()));
        }
        String user = CallContext.current().user();
        context.accounts().permissions().requireTable(user, Permissions.Right.WRITE, path);
        database.bulkUpsert(path, writes, user);
        return BulkUpsertResult.getDefaultInstance();
    }

    // ---- StreamExecuteScanQuery

    void scanQuery(
            Function<ExecuteScanQueryRequest, String> text,
            ExecuteScanQueryRequest request,
            StreamObserver<ExecuteScanQueryPartialResponse> observer) {
        PacedStream.run(
                observer,
                context.workers(),
                refusal -> ExecuteScanQueryPartialResponse.newBuilder()
                        .setStatus(StatusCodec.encode(refusal.status()))
                        .addAllIssues(StatusCodec.encode(refusal.issues()))
                        .build(),
                stream -> scanQuery(context.databases().ofCall().database(), text.apply(request), request, stream));
    }

    private void scanQuery(
            Database database,
            String text,
            ExecuteScanQueryRequest request,
            PacedStream<ExecuteScanQueryPartialResponse> stream) {
        calls.refuseByFault(queries.site(database, Operation.QUERY, text));
        Compiled compiled = queries.compile(database, text);
        if (compiled.isScheme() || !compiled.isReadOnly()) {
            throw new YdbException(Status.PRECONDITION_FAILED, "Scan query cannot have data modifications.");
        }
        if (request.getMode() == ExecuteScanQueryRequest.Mode.MODE_EXPLAIN) {
            stream.send(scanPart(ExecuteScanQueryPartialResult.newBuilder()));
            return;
        }
        List<ResultSet> results = inTransaction(
                database,
                Mode.SNAPSHOT_READ_ONLY,
                transaction -> compiled.execute(transaction, queries.parameters(request.getParametersMap())));
        if (results.size() > 1) {
            throw new YdbException(
                    Status.PRECONDITION_FAILED, "Scan query should have a single result set, has " + results.size());
        }
        long began = System.nanoTime();
        for (ResultSet result : results) {
            PartWriter parts = new PartWriter(
                    new ResultSets(result.columns()),
                    Long.MAX_VALUE,
                    context.limits().partBytes(),
                    set -> stream.send(
                            scanPart(ExecuteScanQueryPartialResult.newBuilder().setResultSet(set))));
            result.rows().forEach(parts::add);
            parts.finish();
        }
        if (DataQueries.collectsStats(request.getCollectStats())) {
            stream.send(scanPart(ExecuteScanQueryPartialResult.newBuilder()
                    .setQueryStats(DataQueries.stats(System.nanoTime() - began))));
        }
    }

    private static ExecuteScanQueryPartialResponse scanPart(ExecuteScanQueryPartialResult.Builder result) {
        return ExecuteScanQueryPartialResponse.newBuilder()
                .setStatus(StatusCode.SUCCESS)
                .setResult(result)
                .build();
    }

    /** Rows of a request: a list of structs whose members may stand in any order. */
    private record StructRows(String what, Type.Struct type, List<? extends List<?>> rows) {
        @SuppressWarnings("unchecked") // the decoder of List<Struct> makes lists of lists
        static StructRows of(String what, ValueProtos.TypedValue wire) {
            TypedValue value = Queries.typedValue(what, wire);
            if (value.type() instanceof Type.ListOf list
                    && list.item() instanceof Type.Struct struct
                    && value.value() != null) {
                return new StructRows(what, struct, (List<List<?>>) value.value());
            }
            throw new YdbException(Status.BAD_REQUEST, what + " must be a list of structs, is " + value.type());
        }

        List<String> names() {
            return type.members().stream().map(Type.Member::name).toList();
        }

        int[] members(List<String> names) {
            return names.stream().mapToInt(type::indexOf).toArray();
        }

        static List<@Nullable Object> pick(List<?> row, int[] members) {
            @Nullable Object[] picked = new Object[members.length];
            for (int i = 0; i < members.length; i++) {
                picked[i] = row.get(members[i]);
            }
            return Arrays.asList(picked);
        }

        void requireExactly(TableSchema table, List<String> columns) {
            requireColumns(table);
            if (type.members().size() != columns.size()) {
                throw new YdbException(
                        Status.BAD_REQUEST, what + " must consist of the key columns " + columns + ", are " + names());
            }
        }

        /** The members must be columns of their types, all key columns among them. */
        void requireColumns(TableSchema table) {
            for (Type.Member member : type.members()) {
                int ordinal = table.indexOf(member.name());
                if (ordinal < 0) {
                    throw new YdbException(
                            Status.SCHEME_ERROR, "Unknown column: " + member.name() + " of table " + table.path());
                }
                Type expected = table.columns().get(ordinal).type();
                if (!member.type().unwrapped().equals(expected)) {
                    throw new YdbException(
                            Status.SCHEME_ERROR,
                            "Type mismatch for column " + member.name() + ": expected " + expected + ", got "
                                    + member.type());
                }
            }
            for (String key : table.primaryKey()) {
                if (type.indexOf(key) < 0) {
                    throw new YdbException(Status.SCHEME_ERROR, "Missing key column: " + key);
                }
            }
        }
    }
}
