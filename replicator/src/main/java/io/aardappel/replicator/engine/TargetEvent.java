package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.SavedState;
import java.util.Optional;

/**
 * What a {@link CheckpointedTarget} answers. Each request gets exactly one of the answers named at it; {@link ReadAnew} comes
 * unasked.
 */
public sealed interface TargetEvent extends Event {
    /**
     * We hold the lock (after {@code acquire}) or hold it still (after {@code renew}).
     *
     * @param owner our owner string of this term
     */
    record LockHeld(String owner) implements TargetEvent {}

    /** Another holds it; after {@code renew} this means that our term is over. */
    record LockBusy(String owner) implements TargetEvent {}

    /** Whether we hold it could not be found out, or the row cannot be read; the engine asks again until its horizon. */
    record LockUnknown(String why) implements TargetEvent {}

    /** Answer to {@code acquire}: the row that holds the lock was there and is gone, which a person must look at. */
    record LockFatal(Problem problem) implements TargetEvent {}

    /** Answer to {@code release}, whether it worked or not. */
    record LockReleased() implements TargetEvent {}

    /** Answer to {@code load}. */
    record Loaded(SavedState state) implements TargetEvent {}

    /** Answer to {@code load} that may go better next time. */
    record LoadRetryable(String why) implements TargetEvent {}

    /** Answer to {@code load} that a person must repair (a NULL stage, a missing row, a wrong table). */
    record LoadFatal(Problem problem) implements TargetEvent {}

    /** The batch is durable, exactly once. */
    record Committed(long batch) implements TargetEvent {}

    /**
     * The term is over: another owner, another writer's mark, or it could not be found out whether the batch was applied.
     * Everything must be loaded anew under a new term.
     */
    record Fenced(long batch, String why) implements TargetEvent {}

    /**
     * The batch is certainly not applied and never will be; it may be tried again, cut differently.
     *
     * @param cause a short word for metrics: a YDB status name, or {@code TIMEOUT}
     * @param why the server's answer in words
     * @param timedOut whether a smaller batch would help
     */
    record Retryable(long batch, String cause, String why, boolean timedOut) implements TargetEvent {}

    /**
     * The batch is certainly not applied and trying it again is pointless.
     *
     * @param row that the problem is about, or one that shows it; the engine names its stream, key and position. Absent when
     *     it is about the batch
     */
    record Refused(long batch, Problem problem, Optional<RowWrite> row, Blame blame) implements TargetEvent {}

    /**
     * The batch is certainly not applied: a record of it was read for a column that its table has not any more. Everything above
     * the checkpoint is to be read anew, for the table as it is now.
     */
    record Outdated(long batch, String why) implements TargetEvent {}

    /** What a batch was refused for. */
    enum Blame {
        /** The row that is named: without the records that make it the batch may be taken. */
        THIS_ROW,
        /** One of its rows, it is not known which. */
        SOME_ROW,
        /** Something else: no record can be made responsible. */
        NO_ROW
    }

    /**
     * Something has changed by which records are read, and counts from the next {@code load} on. The engine loads anew at the
     * next border between transactions, so that everything above the checkpoint is read by it and nothing below.
     */
    record ReadAnew(String why) implements TargetEvent {}

    /** Answer to {@code writeFatal}: the state row now says so. */
    record FatalWritten() implements TargetEvent {}

    /** Answer to {@code writeFatal}: the lock is not ours, or the destination does not answer. */
    record FatalNotWritten(String why) implements TargetEvent {}
}
