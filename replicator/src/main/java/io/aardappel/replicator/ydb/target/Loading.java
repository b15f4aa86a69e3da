package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.Phase;
import io.aardappel.contract.StateTable;
import io.aardappel.replicator.core.DecisionRow;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.SavedState;
import io.aardappel.replicator.core.SavedState.InstanceRow;
import io.aardappel.replicator.core.ScanPhase;
import io.aardappel.replicator.core.Stage;
import io.aardappel.replicator.core.StreamRow;
import io.aardappel.replicator.ydb.target.StateLoss.Traces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.ValueProtos.ResultSet;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Reads the state table and ours, and makes sense of them. Every NULL that must not be there is a problem, not a crash. More
 * stream rows than one answer can hold are read page by page; nobody changes them while we hold the lock. One thread only.
 */
final class Loading {
    /** What was read: the engine's part and what the term goes by; or why there is nothing. */
    sealed interface Outcome {
        record Read(SavedState saved, Term term) implements Outcome {}

        record NotOurs(String holder) implements Outcome {}

        record Invalid(Problem problem) implements Outcome {}

        /** The tables are there, and no state row. */
        record Absent() implements Outcome {}

        record Unanswered(Status status) implements Outcome {}
    }

    private final Retries retries;
    private final StateStatements statements;
    private final int pageRows;
    private final String row;

    /** @param pageRows most rows that one answer can hold */
    Loading(Retries retries, StateStatements statements, int pageRows, YdbTarget.Identity identity) {
        this.retries = retries;
        this.statements = statements;
        this.pageRows = pageRows;
        this.row = "state table " + identity.stateTable().path() + ", row '" + identity.instanceId() + "'";
    }

    Outcome load(String owner) {
        return load(Optional.of(owner));
    }

    /** Reads whoever holds the lock; nothing may be written by what comes of it. */
    Outcome peek() {
        return load(Optional.empty());
    }

    /** As {@link #peek}, where the state table is there and those of ours beside it are not: a start makes them, empty. */
    Outcome peekWithoutOurs() {
        Result<ExecuteQueryResult> state = retries.run(statements.readStateRow());
        if (!state.isSuccess()) {
            return new Outcome.Unanswered(state.getStatus());
        }
        ResultSet none = ResultSet.getDefaultInstance();
        ExecuteQueryResult answer = state.getValue().toBuilder()
                .addResultSets(none)
                .addResultSets(none)
                .build();
        return judge(answer, Optional.empty(), false);
    }

    /** What our rows say by themselves; a table that is absent says nothing. */
    Answer<Traces> traces() {
        Result<ExecuteQueryResult> instances = retries.run(statements.readInstanceRow());
        if (!isTold(instances)) {
            return new Answer.Unreadable<>(Failure.told(instances.getStatus()));
        }
        Result<ExecuteQueryResult> members = retries.run(statements.countMembers());
        if (!isTold(members)) {
            return new Answer.Unreadable<>(Failure.told(members.getStatus()));
        }
        Optional<ResultRow> instance = first(instances);
        try {
            InstanceRow row = instance.map(Loading::instance)
                    .orElse(new InstanceRow(Position.ZERO, Position.ZERO, ScanPhase.NONE));
            boolean scans = row.phase() != ScanPhase.NONE || row.vouched().equals(Position.ZERO);
            return new Answer.Read<>(new Traces(
                    row.vouched(),
                    (scans ? Stage.INITIAL_SCAN : Stage.RUN).name(),
                    instance.map(found -> orZero(found.number(InstanceTable.COMMIT_SEQ)))
                            .orElse(0L),
                    first(members).map(found -> orZero(found.number("n"))).orElse(0L)));
        } catch (IllegalArgumentException e) {
            return new Answer.Unreadable<>("a row of ours cannot be read: " + e.getMessage());
        }
    }

    private static boolean isTold(Result<ExecuteQueryResult> answer) {
        return answer.isSuccess() || answer.getStatus().getCode() == StatusCode.SCHEME_ERROR;
    }

    private static Optional<ResultRow> first(Result<ExecuteQueryResult> answer) {
        return answer.isSuccess() ? ResultRow.first(answer.getValue().getResultSets(0)) : Optional.empty();
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private Outcome load(Optional<String> owner) {
        Result<ExecuteQueryResult> first = retries.run(statements.load(pageRows));
        return first.isSuccess() ? judge(first.getValue(), owner, true) : new Outcome.Unanswered(first.getStatus());
    }

    /** @param ours whether the tables beside the state table are there */
    private Outcome judge(ExecuteQueryResult first, Optional<String> owner, boolean ours) {
        Optional<Proof> proof = Proof.of(first);
        Optional<ResultRow> state = ResultRow.first(first.getResultSets(0));
        if (proof.isEmpty() || state.isEmpty()) {
            return new Outcome.Absent();
        }
        if (owner.isPresent() && !owner.get().equals(proof.get().lockOwner())) {
            return new Outcome.NotOurs(String.valueOf(proof.get().lockOwner()));
        }
        Optional<Outcome> missing = missing(proof.get(), state.get());
        return missing.orElseGet(() -> read(first, proof.get(), state.get(), owner.orElse(""), ours));
    }

    private Optional<Outcome> missing(Proof proof, ResultRow state) {
        if (state.text(StateTable.STATE) == null) {
            return Optional.of(isNull(StateTable.STATE, "Set it to 'OK' if the replica is sound"));
        }
        if (proof.checkpoint() == null) {
            return Optional.of(isNull(
                    StateTable.STEP_ID + " or " + StateTable.TX_ID,
                    "Set both to the last checkpoint: docs/runbooks/fatal/STATE_INVALID.md says where it stands too"));
        }
        if (proof.stage() == null) {
            return Optional.of(isNull(StateTable.STAGE, "Set it to 'INITIAL_SCAN' or to 'RUN'"));
        }
        return Optional.empty();
    }

    private Outcome read(ExecuteQueryResult first, Proof proof, ResultRow state, String owner, boolean ours) {
        String stage = orEmpty(proof.stage());
        Position checkpoint = proof.checkpoint() == null ? Position.ZERO : proof.checkpoint();
        try {
            List<StreamRow> streams = new ArrayList<>();
            Optional<Status> unanswered = readStreams(first.getResultSets(2), streams);
            if (unanswered.isPresent()) {
                return new Outcome.Unanswered(unanswered.get());
            }
            List<DecisionRow> decisions = new ArrayList<>();
            unanswered = ours ? readDecisions(decisions) : Optional.empty();
            if (unanswered.isPresent()) {
                return new Outcome.Unanswered(unanswered.get());
            }
            SavedState saved = new SavedState(
                    checkpoint,
                    orEmpty(state.text(StateTable.STATE)),
                    orEmpty(state.text(StateTable.LAST_MSG)),
                    Stage.valueOf(io.aardappel.contract.Stage.ofWord(stage).name()),
                    ResultRow.first(first.getResultSets(1)).map(Loading::instance),
                    List.copyOf(streams),
                    List.copyOf(decisions));
            return new Outcome.Read(
                    saved, new Term(owner, checkpoint, stage, proof.commitSeq(), proof.hasInstanceRow()));
        } catch (IllegalArgumentException e) {
            return invalid(
                    "a row of ours that belongs to it cannot be read: " + e.getMessage(),
                    "Correct that row in the tables beside the state table");
        }
    }

    private static InstanceRow instance(ResultRow instance) {
        Position vouched = Proof.position(instance, InstanceTable.VOUCHED_STEP, InstanceTable.VOUCHED_TX);
        Position maximum = Proof.position(instance, InstanceTable.M_STEP, InstanceTable.M_TX);
        String phase = instance.text(InstanceTable.PHASE);
        return new InstanceRow(
                vouched == null ? Position.ZERO : vouched,
                maximum == null ? Position.ZERO : maximum,
                phase == null
                        ? ScanPhase.NONE
                        : ScanPhase.valueOf(Phase.valueOf(phase).name()));
    }

    /** Adds all stream rows; gives the status of a page that could not be read. */
    private Optional<Status> readStreams(ResultSet firstPage, List<StreamRow> streams) {
        ResultSet page = firstPage;
        add(page, streams);
        while (page.getRowsCount() >= pageRows) {
            Result<ExecuteQueryResult> next =
                    retries.run(statements.loadMore(streams.get(streams.size() - 1), pageRows));
            if (!next.isSuccess()) {
                return Optional.of(next.getStatus());
            }
            page = next.getValue().getResultSets(0);
            add(page, streams);
        }
        return Optional.empty();
    }

    private static void add(ResultSet page, List<StreamRow> streams) {
        for (ResultRow stream : ResultRow.all(page)) {
            streams.add(StreamRows.read(stream));
        }
    }

    /**
     * Adds all decisions. What our rows say of offsets is how far they may be committed: the server may deliver from below them,
     * and a record that is left out may lie above the checkpoint. Gives the status of a page that could not be read.
     */
    private Optional<Status> readDecisions(List<DecisionRow> decisions) {
        Call call = statements.loadDecisions(pageRows);
        while (true) {
            Result<ExecuteQueryResult> answer = retries.run(call);
            if (!answer.isSuccess()) {
                return Optional.of(answer.getStatus());
            }
            List<DecisionRow> page = ResultRow.all(answer.getValue().getResultSets(0)).stream()
                    .map(DecisionRows::read)
                    .toList();
            decisions.addAll(page);
            if (page.size() < pageRows) {
                return Optional.empty();
            }
            call = statements.loadDecisions(page.get(page.size() - 1), pageRows);
        }
    }

    private Outcome isNull(String column, String remedy) {
        return invalid(column + " is NULL", remedy);
    }

    private Outcome invalid(String what, String remedy) {
        return new Outcome.Invalid(new Problem(Problem.Reason.STATE_INVALID, row + ": " + what, remedy));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
