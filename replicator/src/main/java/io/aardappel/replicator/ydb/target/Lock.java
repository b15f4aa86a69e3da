package io.aardappel.replicator.ydb.target;

import io.aardappel.contract.StateTable;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.engine.TargetEvent;
import io.aardappel.replicator.engine.TargetEvent.LockBusy;
import io.aardappel.replicator.engine.TargetEvent.LockHeld;
import io.aardappel.replicator.engine.TargetEvent.LockUnknown;
import io.aardappel.replicator.ydb.target.StateLoss.Sighting;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tech.ydb.core.Result;
import tech.ydb.core.StatusCode;
import tech.ydb.proto.table.YdbTable.ExecuteQueryResult;

/**
 * The lock in the state row, by the rules the Go program keeps. Deadlines are made and compared by the server's clock
 * alone. One thread only.
 */
final class Lock {
    private final Retries retries;
    private final StateStatements statements;
    private final String hostname;
    private String owner;
    private @Nullable String previous;
    private boolean held;
    private boolean rowGone;
    private Optional<Sighting> seen = Optional.empty();

    Lock(Retries retries, StateStatements statements, String hostname) {
        this.retries = retries;
        this.statements = statements;
        this.hostname = hostname;
        this.owner = fresh();
    }

    private String fresh() {
        return StateTable.OWNER_PREFIX + hostname + "_" + UUID.randomUUID();
    }

    /** Owner string of the term that began with the last {@link LockHeld}. */
    Optional<String> owner() {
        return held ? Optional.of(owner) : Optional.empty();
    }

    /** Tries once. A term that we had is over with this call, and its lock, if it is still ours, is taken over at once. */
    TargetEvent acquire() {
        if (held) {
            held = false;
            previous = owner;
            owner = fresh();
        }
        Result<ExecuteQueryResult> read = retries.run(statements.readLock());
        rowGone = read.getStatus().getCode() == StatusCode.SCHEME_ERROR;
        seen = Optional.empty();
        if (!read.isSuccess()) {
            return new LockUnknown(Failure.told(read.getStatus()));
        }
        Optional<ResultRow> row = ResultRow.first(read.getValue().getResultSets(0));
        if (row.isEmpty()) {
            rowGone = true;
            return new LockUnknown("there is no state row");
        }
        seen = row.map(Lock::sighting);
        Optional<String> other = otherHolder(row.get());
        if (other.isPresent()) {
            return new LockBusy(other.get());
        }
        TargetEvent answer = answer(retries.run(statements.takeLock(owner, previous == null ? owner : previous)));
        held = answer instanceof LockHeld;
        return answer;
    }

    /** Whether the last {@link #acquire} found no row that it could lock. */
    boolean isRowGone() {
        return rowGone;
    }

    private static Sighting sighting(ResultRow row) {
        Position checkpoint = Proof.position(row, StateTable.STEP_ID, StateTable.TX_ID);
        String stage = row.text(StateTable.STAGE);
        return new Sighting(checkpoint == null ? Position.ZERO : checkpoint, stage == null ? "" : stage);
    }

    /** What the row said beside the lock at the last {@link #acquire}; empty when that found none. */
    Optional<Sighting> seen() {
        return seen;
    }

    /** Waiters only read: the holder's transactions are not disturbed. */
    private Optional<String> otherHolder(ResultRow row) {
        String holder = row.text(StateTable.LOCK_OWNER);
        Long deadline = row.number(StateTable.LOCK_DEADLINE);
        Long now = row.number("now");
        boolean free = deadline == null || now == null || Long.compareUnsigned(deadline, now) <= 0;
        boolean mine = owner.equals(holder) || (previous != null && previous.equals(holder));
        return free || mine ? Optional.empty() : Optional.of(holder == null ? "" : holder);
    }

    TargetEvent renew() {
        if (!held) {
            return new LockBusy("");
        }
        TargetEvent answer = answer(retries.run(statements.renewLock(owner)));
        if (answer instanceof LockBusy) {
            held = false;
            previous = null;
            owner = fresh();
        }
        return answer;
    }

    private TargetEvent answer(Result<ExecuteQueryResult> result) {
        if (!result.isSuccess()) {
            return new LockUnknown(Failure.told(result.getStatus()));
        }
        String holder = ResultRow.first(result.getValue().getResultSets(0))
                .map(row -> row.text(StateTable.LOCK_OWNER))
                .orElse(null);
        if (owner.equals(holder)) {
            return new LockHeld(owner);
        }
        return new LockBusy(holder == null ? "" : holder);
    }

    /** Whether the server confirmed it. */
    boolean release() {
        boolean released = retries.run(statements.releaseLock(owner)).isSuccess();
        if (held) {
            held = false;
            previous = owner;
            owner = fresh();
        }
        return released;
    }
}
