package io.aardappel.replicator.ydb.target;

import io.aardappel.access.ydb.StatusText;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tech.ydb.core.Result;
import tech.ydb.core.Status;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * Transactions that take effect only while the term is what it believes to be: the first call reads owner, state row and
 * instance row, the last writes them, so the server lets no two of them overlap, however late one arrives. An outcome is
 * given only when it is certain; what may yet arrive is shut out first. One thread only.
 */
final class FencedTransactions {
    private static final Logger log = LoggerFactory.getLogger(FencedTransactions.class);

    /** How a transaction ended. */
    sealed interface Outcome {
        record Applied() implements Outcome {}

        /** The term is over, or it cannot be found out what happened. */
        record Lost(String why) implements Outcome {}

        /** Not applied, and it never will be; worth trying again. */
        record NotApplied(Status status) implements Outcome {}

        /**
         * Not applied, and it never will be; another try would go the same way.
         *
         * @param beforeRows whether no row was even sent
         */
        record Refused(Status status, boolean beforeRows) implements Outcome {}

        /** Not applied, and it must not be: the streams that it would record are another instance's. */
        record Claimed(Problem problem) implements Outcome {}

        /** Not applied: a row that had to be there is not. */
        record RowMissing(RowCheck statement, RowWrite row) implements Outcome {}
    }

    private final TableSession session;
    private final StateStatements statements;
    private final TargetSettings settings;
    private final CommitDiscipline discipline;
    /** Never reset: an attempt's number means one attempt in the life of the process. */
    private long attempts;

    FencedTransactions(
            TableSession session, StateStatements statements, TargetSettings settings, CommitDiscipline discipline) {
        this.session = session;
        this.statements = statements;
        this.settings = settings;
        this.discipline = discipline;
    }

    /**
     * Runs one transaction. The caller tells the term what {@link Outcome.Applied} means; marks that this method itself
     * left are already in the term.
     *
     * @param last what the committing call carries beside rows, given the mark it must leave
     */
    Outcome run(Term term, List<Statement> rows, Function<Mark, Call> last) {
        return run(term, rows, last, Optional.empty());
    }

    /** @param claim what must hold while it commits */
    Outcome run(Term term, List<Statement> rows, Function<Mark, Call> last, Optional<Claim> claim) {
        long end = System.nanoTime() + settings.commitTimeout().toNanos();
        Mark mark = nextMark(term);
        List<Call> calls =
                TransactionPlan.of(rows, last.apply(mark), settings.callTextBytes(), settings.callParameterBytes());
        String transaction = "";
        if (discipline.provesLock()) {
            Result<ExecuteQueryResult> proof = readProof(left(end));
            if (!proof.isSuccess()) {
                return uncommitted(proof.getStatus(), true);
            }
            transaction = proof.getValue().getTxMeta().getId();
            Optional<String> differs = differs(proof.getValue(), term);
            if (differs.isPresent()) {
                session.rollback(transaction, settings.callTimeout());
                return new Outcome.Lost(differs.get());
            }
            Optional<Outcome> refused = claim.isEmpty() ? Optional.empty() : refused(claim.get(), transaction, end);
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        return execute(term, mark, calls, transaction, end);
    }

    private Optional<Outcome> refused(Claim claim, String transaction, long end) {
        Call others = claim.read();
        Result<ExecuteQueryResult> read =
                session.execute(others.text(), others.parameters(), TableSession.within(transaction, false), left(end));
        if (!read.isSuccess()) {
            return Optional.of(uncommitted(read.getStatus(), true));
        }
        Optional<Problem> problem = claim.refusal(read.getValue());
        problem.ifPresent(refused -> session.rollback(transaction, settings.callTimeout()));
        return problem.map(Outcome.Claimed::new);
    }

    private Outcome execute(Term term, Mark mark, List<Call> calls, String begun, long end) {
        String transaction = begun;
        for (int index = 0; index < calls.size(); index++) {
            Call call = calls.get(index);
            boolean commits = index == calls.size() - 1;
            Result<ExecuteQueryResult> result = session.execute(
                    call.text(),
                    call.parameters(),
                    transaction.isEmpty()
                            ? (commits ? TableSession.beginAndCommit() : TableSession.begin())
                            : TableSession.within(transaction, commits),
                    left(end));
            if (!result.isSuccess()) {
                return commits ? commitFailed(term, mark, result.getStatus()) : uncommitted(result.getStatus(), false);
            }
            if (!commits) {
                transaction = result.getValue().getTxMeta().getId();
                Optional<Outcome> missing = missing(call, result.getValue());
                if (missing.isPresent()) {
                    session.rollback(transaction, settings.callTimeout());
                    return missing.get();
                }
            }
        }
        return new Outcome.Applied();
    }

    private static Optional<Outcome> missing(Call call, ExecuteQueryResult result) {
        for (int index = 0; index < call.checks().size(); index++) {
            RowCheck check = call.checks().get(index);
            Optional<RowWrite> row = check.missing(result.getResultSets(index));
            if (row.isPresent()) {
                return Optional.of(new Outcome.RowMissing(check, row.get()));
            }
        }
        return Optional.empty();
    }

    /** The failed call committed nothing, so the transaction can have no effect. */
    private static Outcome uncommitted(Status status, boolean beforeRows) {
        return Failure.ofRead(status.getCode()) == Failure.PERMANENT
                ? new Outcome.Refused(status, beforeRows)
                : new Outcome.NotApplied(status);
    }

    private Outcome commitFailed(Term term, Mark mark, Status status) {
        return switch (Failure.ofCommit(status.getCode())) {
            case TRANSIENT -> new Outcome.NotApplied(status);
            case PERMANENT -> new Outcome.Refused(status, false);
            case UNKNOWN -> discipline.provesLock() ? resolve(term, mark, status) : new Outcome.NotApplied(status);
        };
    }

    /**
     * Finds out what became of an attempt and makes sure that it stays so: either its mark is there, or ours is written
     * over the row it has read, after which the server refuses it.
     */
    private Outcome resolve(Term term, Mark asked, Status status) {
        log.warn(
                "outcome of attempt {} is unknown ({}), asking the instance row",
                asked.attempt(),
                StatusText.of(status));
        session.forget();
        Set<Long> fences = new HashSet<>();
        Backoff backoff = new Backoff(settings.pauseMin(), settings.pauseMax());
        long end = System.nanoTime() + settings.resolveTimeout().toNanos();
        while (System.nanoTime() < end) {
            Result<ExecuteQueryResult> read = readProof(min(left(end), settings.callTimeout()));
            if (read.isSuccess()) {
                Optional<Outcome> known = known(term, asked, fences, status, read.getValue());
                if (known.isPresent()) {
                    session.rollback(read.getValue().getTxMeta().getId(), settings.callTimeout());
                    return known.get();
                }
                Mark fence = nextMark(term);
                if (writeFence(fence, read.getValue().getTxMeta().getId())) {
                    term.marked();
                    return new Outcome.NotApplied(status);
                }
                fences.add(fence.attempt());
            }
            backoff.pause();
        }
        return new Outcome.Lost("what became of attempt " + asked.attempt() + " could not be found out within "
                + settings.resolveTimeout().toMillis() + " ms: " + StatusText.of(status));
    }

    private static Optional<Outcome> known(
            Term term, Mark asked, Set<Long> fences, Status status, ExecuteQueryResult read) {
        Optional<Proof> proof = Proof.of(read);
        if (proof.isEmpty()) {
            return Optional.of(new Outcome.Lost("the state row is gone"));
        }
        if (proof.get().isMarkOf(term, asked.attempt())) {
            return Optional.of(new Outcome.Applied());
        }
        for (long fence : fences) {
            if (proof.get().isMarkOf(term, fence)) {
                term.marked();
                return Optional.of(new Outcome.NotApplied(status));
            }
        }
        return proof.get().differs(term).map(Outcome.Lost::new);
    }

    private boolean writeFence(Mark fence, String transaction) {
        Call call = statements.fence(fence);
        return session.execute(
                        call.text(), call.parameters(), TableSession.within(transaction, true), settings.callTimeout())
                .isSuccess();
    }

    private Result<ExecuteQueryResult> readProof(Duration timeout) {
        Call proof = statements.readProof();
        return session.execute(proof.text(), proof.parameters(), TableSession.begin(), timeout);
    }

    private static Optional<String> differs(ExecuteQueryResult read, Term term) {
        return Proof.of(read).map(proof -> proof.differs(term)).orElse(Optional.of("the state row is gone"));
    }

    private Mark nextMark(Term term) {
        return new Mark(term.owner(), term.commitSeq() + 1, ++attempts);
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(end - System.nanoTime(), 0));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
