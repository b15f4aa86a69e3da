package io.aardappel.replicator.core;

import io.aardappel.replicator.core.StreamRecord.Operation;

/**
 * What one transaction does to one row, after folding all its changes.
 *
 * @param operation {@code UPDATE} overlays the columns (creating the row when it is missing), {@code REPLACE} makes the
 *     row exactly these columns with every other one NULL or its default, {@code ERASE} removes it (columns are then empty)
 * @param source partition of the latest change folded in, for messages
 * @param position of the latest change folded in, for messages
 */
public record RowWrite(Key key, Operation operation, Columns columns, PartitionId source, Position position) {}
