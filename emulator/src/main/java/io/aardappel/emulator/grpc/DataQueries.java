package io.aardappel.emulator.grpc;

import io.aardappel.emulator.grpc.value.ResultSets;
import io.aardappel.emulator.grpc.value.TypeCodec;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Database;
import io.aardappel.emulator.query.QueryEngine.Compiled;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import java.util.List;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.table.YdbTable.BeginTransactionRequest;
import tech.ydb.proto.table.YdbTable.BeginTransactionResult;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;
import tech.ydb.proto.table.YdbTable.ExplainQueryResult;
import tech.ydb.proto.table.YdbTable.PrepareQueryResult;
import tech.ydb.proto.table.YdbTable.Query;
import tech.ydb.proto.table.YdbTable.QueryMeta;
import tech.ydb.proto.table.YdbTable.QueryStatsCollection;
import tech.ydb.proto.table.YdbTable.TransactionControl;
import tech.ydb.proto.table.YdbTable.TransactionMeta;

/** Data queries of the table service inside a session that is already in use. */
final class DataQueries {
    /** What stands for plans and syntax trees, which the emulator does not have. */
    static final String PLAN = "{\"meta\":{\"version\":\"0.2\",\"type\":\"query\"},\"Plan\":{\"Node Type\":\"Query\"}}";

    static final String AST = "(the emulator has no syntax trees to show)";

    private final ServerContext context;
    private final Queries queries;
    private final PreparedQueries prepared = new PreparedQueries();

    DataQueries(ServerContext context, Queries queries) {
        this.context = context;
        this.queries = queries;
    }

    /** The text of a query that comes as text or as the id of a prepared one. */
    String text(Query query) {
        return switch (query.getQueryCase()) {
            case YQL_TEXT -> query.getYqlText();
            case ID -> prepared.text(query.getId());
            case QUERY_NOT_SET -> throw new YdbException(Status.BAD_REQUEST, "Neither query text nor id is set");
        };
    }

    Answer execute(Session session, ExecuteDataQueryRequest request) {
        OpenTransaction transaction = open(session, request.getTxControl());
        return queries.inTransaction(session, transaction, () -> execute(session, transaction, request));
    }

    private Answer execute(Session session, OpenTransaction transaction, ExecuteDataQueryRequest request) {
        long began = System.nanoTime();
        Database database = session.database();
        String text = text(request.getQuery());
        Compiled compiled = queries.compile(database, text);
        // Encoded before the commit: a result that is too large must not commit.
        ExecuteQueryResult.Builder result =
                encode(queries.run(transaction, text, compiled, queries.parameters(request.getParametersMap())));
        boolean commits = request.getTxControl().getCommitTx();
        if (commits) {
            queries.commit(session, transaction);
        }
        result.setTxMeta(TransactionMeta.newBuilder().setId(commits ? "" : transaction.id()));
        if (request.getQueryCachePolicy().getKeepInCache() || request.getQuery().hasId()) {
            result.setQueryMeta(meta(database, text, compiled));
        }
        if (collectsStats(request.getCollectStats())) {
            boolean full =
                    request.getCollectStats().getNumber() > QueryStatsCollection.Mode.STATS_COLLECTION_BASIC_VALUE;
            result.setQueryStats(explained(full, transaction.stats(System.nanoTime() - began)));
        }
        return new Answer(result.build(), Queries.warnings(compiled));
    }

    /** Full statistics also have a plan and a syntax tree. */
    static QueryStats explained(boolean full, QueryStats stats) {
        return full ? stats.toBuilder().setQueryPlan(PLAN).setQueryAst(AST).build() : stats;
    }

    private OpenTransaction open(Session session, TransactionControl control) {
        return switch (control.getTxSelectorCase()) {
            case TX_ID -> session.transaction(control.getTxId());
            case BEGIN_TX -> {
                var mode = TransactionModes.of(control.getBeginTx());
                yield session.begin(control.getCommitTx() ? mode : TransactionModes.interactive(mode));
            }
            case TXSELECTOR_NOT_SET -> throw new YdbException(Status.BAD_REQUEST, "Empty TxControl");
        };
    }

    private ExecuteQueryResult.Builder encode(List<ResultSet> results) {
        ExecuteQueryResult.Builder answer = ExecuteQueryResult.newBuilder();
        long bytes = 0;
        for (ResultSet result : results) {
            ValueProtos.ResultSet wire = encode(result);
            bytes += wire.getSerializedSize();
            if (bytes > context.limits().resultBytes()) {
                throw new YdbException(
                        Status.PRECONDITION_FAILED,
                        "Query result size limit exceeded. (> "
                                + context.limits().resultBytes() + ")");
            }
            answer.addResultSets(wire);
        }
        return answer;
    }

    private ValueProtos.ResultSet encode(ResultSet result) {
        ResultSets writer = new ResultSets(result.columns());
        ValueProtos.ResultSet.Builder wire = writer.empty();
        int max = context.limits().resultRows();
        result.rows().stream().limit(max).forEach(row -> wire.addRows(writer.row(row)));
        return wire.setTruncated(result.rows().size() > max).build();
    }

    private QueryMeta meta(Database database, String text, Compiled compiled) {
        QueryMeta.Builder meta = QueryMeta.newBuilder().setId(prepared.keep(database.path(), text));
        compiled.declaredParameters().forEach((name, type) -> meta.putParametersTypes(name, TypeCodec.encode(type)));
        return meta.build();
    }

    static boolean collectsStats(QueryStatsCollection.Mode mode) {
        return mode.getNumber() > QueryStatsCollection.Mode.STATS_COLLECTION_NONE_VALUE;
    }

    static QueryStats stats(long nanos) {
        long micros = Math.max(1, nanos / 1_000);
        return QueryStats.newBuilder()
                .setTotalDurationUs(micros)
                .setTotalCpuTimeUs(micros)
                .setProcessCpuTimeUs(micros)
                .build();
    }

    PrepareQueryResult prepare(Session session, String text) {
        Compiled compiled = queries.compile(session.database(), text);
        PrepareQueryResult.Builder result = PrepareQueryResult.newBuilder()
                .setQueryId(prepared.keep(session.database().path(), text));
        compiled.declaredParameters().forEach((name, type) -> result.putParametersTypes(name, TypeCodec.encode(type)));
        return result.build();
    }

    ExplainQueryResult explain(Session session, String text) {
        queries.compile(session.database(), text);
        return ExplainQueryResult.newBuilder()
                .setQueryAst(AST)
                .setQueryPlan(PLAN)
                .build();
    }

    BeginTransactionResult begin(Session session, BeginTransactionRequest request) {
        OpenTransaction transaction =
                session.begin(TransactionModes.interactive(TransactionModes.of(request.getTxSettings())));
        return BeginTransactionResult.newBuilder()
                .setTxMeta(TransactionMeta.newBuilder().setId(transaction.id()))
                .build();
    }

    void scheme(Session session, String text) {
        Compiled compiled = queries.compile(session.database(), text);
        if (!compiled.isScheme()) {
            throw new YdbException(Status.GENERIC_ERROR, "Only schema statements can be executed by a scheme query");
        }
        compiled.executeScheme(session.database());
    }
}
