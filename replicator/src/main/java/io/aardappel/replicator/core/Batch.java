package io.aardappel.replicator.core;

import java.util.List;
import java.util.Optional;

/**
 * One transaction as decided: rows, checkpoint and our rows, to become durable together or not at all. Immutable.
 *
 * @param number one more than that of the last batch committed in this lock term, from 1; an attempt after a refusal has
 *     the same number, whatever it then holds
 * @param tables what to write, each table once; empty when only the checkpoint or our rows move
 * @param checkpoint to write into the state row, absent while the checkpoint must not move
 * @param stage to write into the state row; {@code RUN} with a checkpoint, else the stored one
 * @param scanMaximum M of our instance row after this transaction
 * @param phase of our instance row after this transaction
 * @param streams stream rows to write (insert or overwrite), those that changed only
 * @param decisions decision rows to write: each says of a record in {@code tables}, or of one that is left out, what was
 *     decided about it
 * @param rows number of rows over all tables
 * @param bytes of the changes folded in, as the budget counts them
 * @param changes number of changes folded in
 */
public record Batch(
        long number,
        List<TableWrites> tables,
        Optional<Position> checkpoint,
        Stage stage,
        Position scanMaximum,
        ScanPhase phase,
        List<StreamRow> streams,
        List<DecisionRow> decisions,
        int rows,
        long bytes,
        int changes) {}
