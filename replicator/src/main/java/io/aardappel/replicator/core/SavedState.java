package io.aardappel.replicator.core;

import java.util.List;
import java.util.Optional;

/**
 * What the destination says about this instance, read in one transaction under the lock.
 *
 * @param checkpoint of the state row
 * @param state word of the state row; {@code OK} or {@code FATAL_ERROR}
 * @param lastMessage of the state row, empty when NULL
 * @param stage of the state row
 * @param instance our instance row, absent when no process of ours has run yet
 * @param streams our stream rows, in no order
 * @param decisions our decision rows about records that may be read again, in no order
 */
public record SavedState(
        Position checkpoint,
        String state,
        String lastMessage,
        Stage stage,
        Optional<InstanceRow> instance,
        List<StreamRow> streams,
        List<DecisionRow> decisions) {

    /**
     * The part of our instance row that the engine decides; the commit number and the attempt are the target's.
     *
     * @param vouched checkpoint of our last transaction
     * @param scanMaximum highest position ever applied by the scan (M); {@link Position#ZERO} when none
     */
    public record InstanceRow(Position vouched, Position scanMaximum, ScanPhase phase) {}
}
