package io.aardappel.replicator.core;

import io.aardappel.replicator.core.SavedState.InstanceRow;

/**
 * Where a lock term begins, given what the destination says.
 *
 * @param stage found
 * @param checkpoint of the state row
 * @param floor everything below it is applied; nothing at or above it may be dropped
 * @param ceiling no checkpoint is written below it
 * @param snapshotFrom at checkpoints below it the destination may hold changes of later positions
 * @param scanMaximum M of a scan
 * @param vouched whether the checkpoint is that of our last transaction
 */
public record Start(
        Stage stage,
        Position checkpoint,
        Position floor,
        Position ceiling,
        Position snapshotFrom,
        Position scanMaximum,
        boolean vouched) {

    /**
     * Decides from what was saved.
     *
     * @param sourceTime the source's time when the lock was acquired, plus the allowance
     */
    public static Start of(SavedState saved, Position sourceTime) {
        Position checkpoint = saved.checkpoint();
        if (saved.stage() == Stage.INITIAL_SCAN) {
            Position maximum = saved.instance()
                    .filter(row -> row.phase() != ScanPhase.NONE)
                    .map(InstanceRow::scanMaximum)
                    .orElse(later(
                            sourceTime,
                            saved.instance().map(InstanceRow::vouched).orElse(Position.ZERO)));
            return new Start(
                    Stage.INITIAL_SCAN, checkpoint, Position.ZERO, checkpoint, Position.ZERO, maximum, saved.vouched());
        }
        Position snapshotFrom = saved.instance().isPresent() ? Position.ZERO : sourceTime;
        Position vouched = saved.instance().map(InstanceRow::vouched).orElse(checkpoint);
        Position ceiling = later(checkpoint, vouched);
        Position floor = checkpoint.isBefore(vouched) ? checkpoint : vouched;
        return new Start(
                Stage.RUN, checkpoint, floor, ceiling, later(snapshotFrom, ceiling), Position.ZERO, saved.vouched());
    }

    static Position later(Position one, Position other) {
        return one.isBefore(other) ? other : one;
    }
}
