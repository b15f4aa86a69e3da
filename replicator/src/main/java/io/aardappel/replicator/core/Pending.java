package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;

/** A change that was read, in its lane until everything before it in the partition is applied too. */
final class Pending {
    /** Stands in an applied change's place, so that its memory is free before its turn in the order of offsets comes. */
    private static final Change NOTHING = new Change(Position.ZERO, Operation.ERASE, new Key(), Columns.NONE, 0);

    final long offset;
    final Lane lane;
    private Change change;

    Pending(Change change, long offset, Lane lane) {
        this.change = change;
        this.offset = offset;
        this.lane = lane;
    }

    Change change() {
        return change;
    }

    Position position() {
        return change.position();
    }

    @SuppressWarnings("ReferenceEquality") // one object stands for "taken away", whatever its values
    boolean applied() {
        return change == NOTHING;
    }

    /** Answers the bytes that are free now. */
    int markApplied() {
        int bytes = change.bytes();
        change = NOTHING;
        return bytes;
    }

    /** By position, the rest of the order left as it is: within a partition a stable sort keeps that of offsets. */
    static int byPosition(Pending one, Pending other) {
        return one.change.position().compareTo(other.change.position());
    }
}
