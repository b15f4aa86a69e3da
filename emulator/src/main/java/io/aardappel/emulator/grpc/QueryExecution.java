package io.aardappel.emulator.grpc;

import io.aardappel.emulator.faults.Operation;
import io.aardappel.emulator.faults.Site;
import io.aardappel.emulator.grpc.value.ResultSets;
import io.aardappel.emulator.model.Issue;
import io.aardappel.emulator.model.Status;
import io.aardappel.emulator.model.YdbException;
import io.aardappel.emulator.model.table.Transaction.Mode;
import io.aardappel.emulator.query.QueryEngine.Compiled;
import io.aardappel.emulator.query.QueryEngine.ResultSet;
import io.aardappel.emulator.query.QueryEngine.TypedValue;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.ValueProtos;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;
import tech.ydb.proto.YdbQueryStats.QueryStats;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryResponsePart;
import tech.ydb.proto.query.YdbQuery.SchemaInclusionMode;
import tech.ydb.proto.query.YdbQuery.StatsMode;
import tech.ydb.proto.query.YdbQuery.Syntax;
import tech.ydb.proto.query.YdbQuery.TransactionControl;
import tech.ydb.proto.query.YdbQuery.TransactionMeta;

/** Queries of the query service: one request, a stream of parts. */
final class QueryExecution {
    /** Clients may ask for parts up to this size; larger ones would not fit into their messages. */
    private static final long PART_BYTES_MAX = 48L << 20;

    private final ServerContext context;
    private final Calls calls;
    private final Queries queries;

    QueryExecution(ServerContext context, Calls calls, Queries queries) {
        this.context = context;
        this.calls = calls;
        this.queries = queries;
    }

    void execute(ExecuteQueryRequest request, StreamObserver<ExecuteQueryResponsePart> observer) {
        PacedStream.run(
                observer,
                context.workers(),
                refusal -> ExecuteQueryResponsePart.newBuilder()
                        .setStatus(StatusCodec.encode(refusal.status()))
                        .addAllIssues(StatusCodec.encode(refusal.issues().stream()
                                .map(QueryExecution::bare)
                                .toList()))
                        .build(),
                stream -> {
                    String text = request.getQueryContent().getText();
                    Site site = queries.site(context.databases().ofCall().database(), Operation.QUERY, text);
                    calls.refuseByFault(site);
                    queries.inSession(request.getSessionId(), site, session -> {
                        execute(session, request, text, stream);
                        return true;
                    });
                });
    }

    /** This service names a violated constraint without the table that the table service puts around it. */
    private static Issue bare(Issue issue) {
        boolean wrapped =
                issue.code() == Issue.CONSTRAINT_VIOLATION && issue.issues().size() == 1;
        return wrapped ? issue.issues().get(0) : issue;
    }

    private void execute(
            Session session, ExecuteQueryRequest request, String text, PacedStream<ExecuteQueryResponsePart> stream) {
        if (request.getQueryContent().getSyntax() == Syntax.SYNTAX_PG) {
            throw new YdbException(Status.UNSUPPORTED, "The emulator does not understand PostgreSQL syntax");
        }
        if (request.getResultSetFormat() == ValueProtos.ResultSet.Format.FORMAT_ARROW) {
            throw new YdbException(Status.UNSUPPORTED, "The emulator answers values, not Arrow");
        }
        Run run = new Run(session, request, text, stream);
        switch (request.getExecMode()) {
            case EXEC_MODE_EXECUTE -> run.execute();
            case EXEC_MODE_PARSE, EXEC_MODE_VALIDATE, EXEC_MODE_EXPLAIN -> run.explain();
            case EXEC_MODE_UNSPECIFIED, UNRECOGNIZED ->
                throw new YdbException(Status.BAD_REQUEST, "Unexpected query mode: " + request.getExecModeValue());
        }
    }

    /** One query on its way. */
    private final class Run {
        private final Session session;
        private final ExecuteQueryRequest request;
        private final String text;
        private final PacedStream<ExecuteQueryResponsePart> stream;
        private final long began = System.nanoTime();

        Run(Session session, ExecuteQueryRequest request, String text, PacedStream<ExecuteQueryResponsePart> stream) {
            this.session = session;
            this.request = request;
            this.text = text;
            this.stream = stream;
        }

        void explain() {
            queries.compile(session.database(), text);
            stream.send(part().setExecStats(QueryStats.newBuilder()
                            .setQueryPlan(DataQueries.PLAN)
                            .setQueryAst(DataQueries.AST))
                    .build());
        }

        void execute() {
            Map<String, TypedValue> parameters = queries.parameters(request.getParametersMap());
            if (!request.hasTxControl()) {
                implicit(queries.compile(session.database(), text), parameters);
                return;
            }
            TransactionControl control = request.getTxControl();
            OpenTransaction transaction = open(control);
            queries.inTransaction(session, transaction, () -> {
                Compiled compiled = queries.compile(session.database(), text);
                List<ResultSet> results = queries.run(transaction, text, compiled, parameters);
                if (control.getCommitTx()) {
                    queries.commit(session, transaction);
                }
                send(results, control.getCommitTx() ? "" : transaction.id(), Queries.warnings(compiled), transaction);
                return true;
            });
        }

        private OpenTransaction open(TransactionControl control) {
            return switch (control.getTxSelectorCase()) {
                case TX_ID -> session.transaction(control.getTxId());
                case BEGIN_TX -> {
                    Mode mode = TransactionModes.of(control.getBeginTx());
                    yield session.begin(control.getCommitTx() ? mode : TransactionModes.interactive(mode));
                }
                case TXSELECTOR_NOT_SET -> throw new YdbException(Status.BAD_REQUEST, "Empty tx selector");
            };
        }

        /** Without transaction control: schema statements as they are, anything else in a transaction of its own. */
        private void implicit(Compiled compiled, Map<String, TypedValue> parameters) {
            if (compiled.isScheme()) {
                compiled.executeScheme(session.database());
                stream.send(
                        part().setTxMeta(TransactionMeta.getDefaultInstance()).build());
                return;
            }
            OpenTransaction transaction = session.begin(Mode.SERIALIZABLE_READ_WRITE);
            queries.inTransaction(session, transaction, () -> {
                List<ResultSet> results = queries.run(transaction, text, compiled, parameters);
                queries.commit(session, transaction);
                send(results, "", Queries.warnings(compiled), transaction);
                return true;
            });
        }

        /** At least one part; the first one says how the transaction stands, the last one how much it took. */
        private void send(
                List<ResultSet> results, String txId, List<IssueMessage> warnings, OpenTransaction transaction) {
            TransactionMeta meta = TransactionMeta.newBuilder().setId(txId).build();
            boolean[] first = {true};
            for (int i = 0; i < results.size(); i++) {
                int index = i;
                PartWriter parts =
                        new PartWriter(new ResultSets(results.get(i).columns()), Long.MAX_VALUE, partBytes(), set -> {
                            ExecuteQueryResponsePart.Builder part =
                                    part().setResultSetIndex(index).setResultSet(set);
                            stream.send((first[0] ? part.setTxMeta(meta) : part).build());
                            first[0] = false;
                        });
                if (request.getSchemaInclusionMode() == SchemaInclusionMode.SCHEMA_INCLUSION_MODE_FIRST_ONLY) {
                    parts.columnsOnce();
                }
                results.get(i).rows().forEach(parts::add);
                parts.finish();
            }
            if (first[0] || collectsStats() || !warnings.isEmpty()) {
                ExecuteQueryResponsePart.Builder last = part().addAllIssues(warnings);
                if (first[0]) {
                    last.setTxMeta(meta);
                }
                if (collectsStats()) {
                    boolean full = request.getStatsMode().getNumber() > StatsMode.STATS_MODE_BASIC_VALUE;
                    last.setExecStats(DataQueries.explained(full, transaction.stats(System.nanoTime() - began)));
                }
                stream.send(last.build());
            }
        }

        private boolean collectsStats() {
            return request.getStatsMode().getNumber() > StatsMode.STATS_MODE_NONE_VALUE;
        }

        private long partBytes() {
            long asked = request.getResponsePartLimitBytes();
            return asked > 0
                    ? Math.min(asked, PART_BYTES_MAX)
                    : context.limits().partBytes();
        }

        private ExecuteQueryResponsePart.Builder part() {
            return ExecuteQueryResponsePart.newBuilder().setStatus(StatusCode.SUCCESS);
        }
    }
}
