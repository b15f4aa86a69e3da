package io.aardappel.replicator.core;

import io.aardappel.replicator.core.SavedState.InstanceRow;
import java.util.List;

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
 * @param succeedsOthers whether another program applied changes since ours did, or before there were any of ours: the last
 *     offsets that it committed may reach the topics after they were described
 */
public record Start(
        Stage stage,
        Position checkpoint,
        Position floor,
        Position ceiling,
        Position snapshotFrom,
        Position scanMaximum,
        boolean vouched,
        boolean succeedsOthers) {

    /**
     * Decides from what was saved. What lies between our last transaction and a checkpoint that others wrote is applied again
     * as far as it can still be read, because nobody vouches for it; but not where two streams write one table: more of one
     * stream than of the other may be readable, and its older values would win.
     *
     * @param sourceTime the source's time when the lock was acquired, plus the allowance
     * @param streams configured
     */
    public static Start of(SavedState saved, Position sourceTime, List<StreamSpec> streams) {
        Position checkpoint = saved.checkpoint();
        if (saved.stage() == Stage.INITIAL_SCAN) {
            Position maximum = saved.instance()
                    .filter(row -> row.phase() != ScanPhase.NONE)
                    .map(InstanceRow::scanMaximum)
                    .orElse(later(
                            sourceTime,
                            saved.instance().map(InstanceRow::vouched).orElse(Position.ZERO)));
            return new Start(
                    Stage.INITIAL_SCAN,
                    checkpoint,
                    Position.ZERO,
                    checkpoint,
                    Position.ZERO,
                    maximum,
                    saved.vouched(),
                    saved.instance().isEmpty());
        }
        Position snapshotFrom = saved.instance().isPresent() ? Position.ZERO : sourceTime;
        Position vouched = saved.instance().map(InstanceRow::vouched).orElse(checkpoint);
        Position ceiling = later(checkpoint, vouched);
        Position earlier = checkpoint.isBefore(vouched) ? checkpoint : vouched;
        Position floor = Membership.sharing(streams).isEmpty() ? earlier : ceiling;
        return new Start(
                Stage.RUN,
                checkpoint,
                floor,
                ceiling,
                later(snapshotFrom, ceiling),
                Position.ZERO,
                saved.vouched(),
                !saved.vouched());
    }

    static Position later(Position one, Position other) {
        return one.isBefore(other) ? other : one;
    }
}
