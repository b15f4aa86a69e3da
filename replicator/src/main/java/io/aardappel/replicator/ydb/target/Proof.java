package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.InstanceTable;
import io.aardappel.contract.StateTable;
import io.aardappel.replicator.core.Position;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * What a transaction reads first: who holds the lock, what the state row says, whose mark is the last.
 *
 * @param lockOwner null when nobody ever held it
 * @param checkpoint null when the state row has none
 * @param stage the word in the state row
 * @param commitSeq 0 when there is no instance row yet
 * @param markOwner owner in the instance row, null when there is none
 * @param attempt in the instance row, 0 when there is none
 */
record Proof(
        @Nullable String lockOwner,
        @Nullable Position checkpoint,
        @Nullable String stage,
        boolean hasInstanceRow,
        long commitSeq,
        @Nullable String markOwner,
        long attempt) {

    /** Absent when the state row is gone. */
    static Optional<Proof> of(ExecuteQueryResult result) {
        Optional<ResultRow> instance = ResultRow.first(result.getResultSets(1));
        return ResultRow.first(result.getResultSets(0))
                .map(state -> new Proof(
                        state.text(StateTable.LOCK_OWNER),
                        position(state, StateTable.STEP_ID, StateTable.TX_ID),
                        state.text(StateTable.STAGE),
                        instance.isPresent(),
                        instance.map(row -> number(row, InstanceTable.COMMIT_SEQ))
                                .orElse(0L),
                        instance.map(row -> row.text(InstanceTable.OWNER)).orElse(null),
                        instance.map(row -> number(row, InstanceTable.ATTEMPT)).orElse(0L)));
    }

    static @Nullable Position position(ResultRow row, String stepColumn, String txColumn) {
        Long step = row.number(stepColumn);
        Long tx = row.number(txColumn);
        return step == null || tx == null ? null : new Position(step, tx);
    }

    private static Long number(ResultRow row, String column) {
        Long number = row.number(column);
        return number == null ? Long.valueOf(0) : number;
    }

    /** Why a transaction of the term must not go on, absent when all is as the term left it. */
    Optional<String> differs(Term term) {
        if (!term.owner().equals(lockOwner)) {
            return Optional.of("the lock is held by " + lockOwner + ", not by " + term.owner());
        }
        if (!term.checkpoint().equals(checkpoint) || !term.stage().equals(stage)) {
            return Optional.of("the state row says " + checkpoint + " in stage " + stage + ", not " + term.checkpoint()
                    + " in stage " + term.stage() + " as we left it");
        }
        if (commitSeq != term.commitSeq()) {
            return Optional.of("our instance row carries commit " + commitSeq + " by " + markOwner + " attempt "
                    + attempt + ", not " + term.commitSeq() + " as we left it");
        }
        return Optional.empty();
    }

    /** Whether the last mark is that attempt's, made right on top of what the term last knew. */
    boolean isMarkOf(Term term, long attemptNumber) {
        return term.owner().equals(lockOwner)
                && commitSeq == term.commitSeq() + 1
                && Objects.equals(markOwner, term.owner())
                && attempt == attemptNumber;
    }
}
