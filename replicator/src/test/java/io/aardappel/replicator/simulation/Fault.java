package io.aardappel.replicator.simulation;

import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.RowWrite;
import io.aardappel.replicator.core.Rules;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.Comparator;

/** What a test plants to see whether the simulation notices it. */
enum Fault {
    /** Nothing is planted. */
    NONE,
    /** The checkpoint is written by a transaction of its own, before the one that writes the rows. */
    CHECKPOINT_OUTSIDE_THE_TRANSACTION,
    /** The furthest partition decides instead of the slowest. */
    QUORUM_BY_MAXIMUM,
    /** A cut may fall between changes of one position. */
    CUT_INSIDE_A_POSITION,
    /** An erase and then an update fold into an update, through which the erased row shines. */
    ERASE_THEN_UPDATE_IS_UPDATE,
    /** A transaction goes on whoever holds the lock and whatever was written meanwhile. */
    NO_LOCK_PROOF,
    /** Offsets are committed when they are read. */
    OFFSETS_BEFORE_COMMIT,
    /** The recorded members are taken to be those of the configuration. */
    MEMBERSHIP_IGNORED,
    /** Transactions carry no number, so an unknown outcome is told from the checkpoint alone. */
    NO_COMMIT_SEQ,
    /** An attempt that was given up is not shut out, and takes effect when it arrives. */
    LATE_REQUEST_AFTER_A_RETRY,
    /** What was shed from memory still counts as read. */
    BUFFER_DROPPED_BUT_RESOLVED_KEPT,
    /** A commit of offsets counts as acknowledged when it is asked for, so a child does not wait for its parent's. */
    CHILD_COMMITTED_BEFORE_ITS_PARENT,
    /** A partition that was merged from two inherits what the further one is complete to. */
    MAXIMUM_OVER_PARENTS,
    /** How far a scan has written is forgotten with the process. */
    M_NOT_PERSISTED,
    /** What was decided about a late record is forgotten with the term. */
    APPLY_CARRIED_OUT_TWICE,
    /** Offsets of applied changes are committed although a successor will need the barrier among them. */
    OFFSETS_PAST_THE_WITNESS,
    /** Whoever moves a consumer that is not read yet is believed. */
    MOVED_OFFSETS_BELIEVED;

    /** The rules of the core with this fault in them. */
    Rules rules() {
        return switch (this) {
            case QUORUM_BY_MAXIMUM -> Rules.STANDARD.withQuorumOrder(Comparator.reverseOrder());
            case CUT_INSIDE_A_POSITION -> Rules.STANDARD.withBorder((before, after) -> true);
            case ERASE_THEN_UPDATE_IS_UPDATE -> Rules.STANDARD.withFold(Fault::forgettingErase);
            case BUFFER_DROPPED_BUT_RESOLVED_KEPT -> Rules.STANDARD.withShed((said, lowest) -> said);
            case MOVED_OFFSETS_BELIEVED -> Rules.STANDARD.withExplained((noted, committed) -> true);
            case MAXIMUM_OVER_PARENTS -> Rules.STANDARD.withInherited(Fault::later);
            default -> Rules.STANDARD;
        };
    }

    private static Position later(Position one, Position other) {
        return one.isBefore(other) ? other : one;
    }

    private static RowWrite forgettingErase(RowWrite first, RowWrite second) {
        RowWrite folded = Rules.STANDARD.fold().then(first, second);
        boolean forgets = first.operation() == Operation.ERASE && second.operation() == Operation.UPDATE;
        return forgets
                ? new RowWrite(folded.key(), Operation.UPDATE, folded.columns(), folded.source(), folded.position())
                : folded;
    }
}
