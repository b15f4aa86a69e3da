package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.Calls;
import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.ydb.target.StateLoss.Extent;
import io.aardappel.replicator.ydb.target.StateLoss.Traces;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * What the destination keeps of one instance, as it is now, whoever holds the lock. Changes nothing, makes nothing. Waits; one
 * thread only. The transport belongs to the caller.
 */
public final class StateView implements AutoCloseable {
    /**
     * Who holds the lock.
     *
     * @param left until it is free by the server's clock, unless it is renewed
     */
    public record Holder(String owner, Duration left) {}

    /** What there is. */
    public sealed interface Found {
        /** No state table, or no row of the instance in it: a start makes them. */
        record Nothing() implements Found {}

        /** No row of the instance, though our rows tell that it had begun: a start does not make it again. */
        record Lost(Problem problem) implements Found {}

        /** Rows that make sense; what they say may still forbid a start. */
        record Saved(SavedState state, Optional<Holder> holder) implements Found {}

        /** Rows that a start cannot begin with. */
        record Invalid(Problem problem, Optional<Holder> holder) implements Found {}

        /** Not to be had now; the text says why. */
        record Unreadable(String why) implements Found {}
    }

    private final TableSession session;
    private final Retries retries;
    private final StateStatements statements;
    private final Loading loading;
    private final Neighbours neighbours;
    private final YdbTarget.Identity identity;
    private final StateLoss loss;

    /** Looks at the row that the identity names. */
    public StateView(GrpcTransport transport, YdbTarget.Identity identity, TargetSettings settings) {
        this.identity = identity;
        this.loss = new StateLoss(identity, transport.getDatabase());
        this.session = new TableSession(new Calls(transport));
        this.retries = Retries.forAPerson(session, settings);
        this.statements = new StateStatements(identity.stateTable(), identity.instanceId(), settings.lockTtl());
        this.loading = new Loading(retries, statements, settings.returnedRows(), identity);
        this.neighbours = new Neighbours(retries, identity, settings.returnedRows());
    }

    /** The row that is looked at. */
    public YdbTarget.Identity identity() {
        return identity;
    }

    public Found look() {
        Result<ExecuteQueryResult> lock = retries.run(statements.readLock());
        if (isAbsent(lock.getStatus())) {
            return withoutARow(Extent.TABLE);
        }
        if (!lock.isSuccess()) {
            return unreadable(lock.getStatus());
        }
        Optional<ResultRow> row = ResultRow.first(lock.getValue().getResultSets(0));
        if (row.isEmpty()) {
            return withoutARow(Extent.ROW);
        }
        Optional<Holder> holder = Neighbours.holder(row.get());
        Loading.Outcome outcome = loading.peek();
        if (outcome instanceof Loading.Outcome.Unanswered unanswered && isAbsent(unanswered.status())) {
            outcome = loading.peekWithoutOurs();
        }
        if (outcome instanceof Loading.Outcome.Read read) {
            return new Found.Saved(read.saved(), holder);
        }
        if (outcome instanceof Loading.Outcome.Absent) {
            return withoutARow(Extent.ROW);
        }
        if (outcome instanceof Loading.Outcome.Invalid invalid) {
            return new Found.Invalid(invalid.problem(), holder);
        }
        if (outcome instanceof Loading.Outcome.Unanswered unanswered) {
            return unreadable(unanswered.status());
        }
        throw new IllegalStateException("unknown outcome " + outcome);
    }

    private Found withoutARow(Extent extent) {
        Answer<Traces> traces = loading.traces();
        if (traces instanceof Answer.Unreadable<Traces> unreadable) {
            return new Found.Unreadable("state table " + identity.stateTable().path() + ": " + unreadable.why());
        }
        Traces left = ((Answer.Read<Traces>) traces).value();
        return left.tellOfAnInstance()
                ? new Found.Lost(loss.problem(extent, Optional.empty(), Optional.of(left)))
                : new Found.Nothing();
    }

    private static boolean isAbsent(Status status) {
        return status.getCode() == StatusCode.SCHEME_ERROR;
    }

    private Found unreadable(Status status) {
        return new Found.Unreadable("state table " + identity.stateTable().path() + ": " + StatusText.of(status));
    }

    /** Who else keeps state in the same table, in the order of their names. */
    public Answer<List<Neighbour>> neighbours() {
        return neighbours.read();
    }

    /**
     * Whether a table has a row.
     *
     * @param path absolute
     */
    public Answer<Boolean> hasRows(String path) {
        Result<ExecuteQueryResult> answer =
                retries.run(Call.of("SELECT 1 AS one FROM `" + path + "` LIMIT 1;\n", Map.of()));
        return answer.isSuccess()
                ? new Answer.Read<>(answer.getValue().getResultSets(0).getRowsCount() > 0)
                : new Answer.Unreadable<>("table " + path + ": " + StatusText.of(answer.getStatus()));
    }

    @Override
    public void close() {
        session.close();
    }
}
