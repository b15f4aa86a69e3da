package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Barrier;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words for the tests of the core. */
final class Given {
    static final TransactionBounds ROOMY = new TransactionBounds(1_000, 1_000_000, 10_000, 10_000_000);
    static final int BYTES = 100;

    private Given() {}

    static Position at(long step) {
        return new Position(step, 0);
    }

    static Position at(long step, long txId) {
        return new Position(step, txId);
    }

    static PartitionId p(long partition) {
        return new PartitionId(0, partition);
    }

    static Barrier barrier(long step) {
        return new Barrier(at(step));
    }

    /** Sets column 0 of a row. */
    static Change update(long step, int key) {
        return change(at(step), Operation.UPDATE, key, columns(0, step));
    }

    static Change erase(long step, int key) {
        return change(at(step), Operation.ERASE, key, Columns.NONE);
    }

    static Change change(Position position, Operation operation, int key, Columns columns) {
        return new Change(position, operation, new Key(key), columns, BYTES);
    }

    /** Pairs of ordinal and value, ordinals rising. */
    static Columns columns(@Nullable Object... pairs) {
        int[] ordinals = new int[pairs.length / 2];
        @Nullable Object[] values = new @Nullable Object[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = (Integer) pairs[2 * i];
            values[i] = pairs[2 * i + 1];
        }
        return new Columns(ordinals, values);
    }

    static PartitionInfo active(long id) {
        return new PartitionInfo(id, true, List.of(), List.of(), 0, 0, 0);
    }

    static PartitionInfo child(long id, Long... parents) {
        return new PartitionInfo(id, true, List.of(parents), List.of(), 0, 0, 0);
    }

    /** Split or merged, and not committed to its end. */
    static PartitionInfo inactive(long id, List<Long> parents, Long... children) {
        return new PartitionInfo(id, false, parents, List.of(children), 0, 10, 5);
    }

    /** Split or merged long ago. */
    static PartitionInfo done(long id, List<Long> parents, Long... children) {
        return new PartitionInfo(id, false, parents, List.of(children), 0, 10, 10);
    }
}
