package io.aardappel.replicator.core;

import java.util.List;
import java.util.Map;
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
 * @param decisions all our decision rows about members, in no order
 * @param tablesCreated when the destination tables that are there were created, by their names as configured, as they were
 *     described last; absent for a table of which that is not known
 */
public record SavedState(
        Position checkpoint,
        String state,
        String lastMessage,
        Stage stage,
        Optional<InstanceRow> instance,
        List<StreamRow> streams,
        List<DecisionRow> decisions,
        Map<String, Position> tablesCreated) {

    /** One that knows of no table when it was created. */
    public SavedState(
            Position checkpoint,
            String state,
            String lastMessage,
            Stage stage,
            Optional<InstanceRow> instance,
            List<StreamRow> streams,
            List<DecisionRow> decisions) {
        this(checkpoint, state, lastMessage, stage, instance, streams, decisions, Map.of());
    }

    /** The same with when the destination tables were created. */
    public SavedState with(Map<String, Position> created) {
        return new SavedState(checkpoint, state, lastMessage, stage, instance, streams, decisions, created);
    }

    private static final String SOUND = "OK";
    private static final String FATAL = "FATAL_ERROR";

    /**
     * Whether the checkpoint is that of our last transaction: nobody else applied changes since. In a scan that transactions of
     * ours have begun there is none of ours yet, and none of others either.
     */
    boolean vouched() {
        return instance.filter(row -> row.vouched().equals(checkpoint) || isOurScan(row))
                .isPresent();
    }

    private boolean isOurScan(InstanceRow row) {
        return stage == Stage.INITIAL_SCAN && row.phase() != ScanPhase.NONE;
    }

    /**
     * Why nothing may be applied on top of it; empty where {@code state} is {@code OK}, in these letters: the Go program
     * takes no others either.
     *
     * @param instanceId key of the row, for the text
     */
    public Optional<Problem> refusal(String instanceId) {
        if (state.equals(SOUND)) {
            return Optional.empty();
        }
        String what = "state row '" + instanceId + "', column state: it says " + (state.isEmpty() ? "nothing" : state);
        if (state.equals(FATAL)) {
            String why = lastMessage.isEmpty() ? "last_msg does not say why" : lastMessage;
            return Optional.of(new Problem(
                    Problem.Reason.STATE_INVALID,
                    what + ": " + why,
                    lastMessage.isEmpty()
                            ? "See in the log of the process that wrote it which reason it was, and do what its page says"
                                    + " (docs/runbooks/fatal)"
                            : "Do what it says, as the page of its reason tells (docs/runbooks/fatal), before state is set to"
                                    + " 'OK'"));
        }
        return Optional.of(new Problem(
                Problem.Reason.STATE_INVALID,
                what + ", which is neither OK nor FATAL_ERROR",
                "Set it to 'OK' if the replica is sound"));
    }

    /**
     * The part of our instance row that the engine decides; the commit number and the attempt are the target's.
     *
     * @param vouched checkpoint of our last transaction
     * @param scanMaximum highest position ever applied by the scan (M); {@link Position#ZERO} when none
     */
    public record InstanceRow(Position vouched, Position scanMaximum, ScanPhase phase) {}
}
