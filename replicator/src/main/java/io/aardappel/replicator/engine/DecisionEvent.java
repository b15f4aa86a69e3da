package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.PartitionId;

/** Answers of {@link Decisions}. */
public sealed interface DecisionEvent extends Event {
    /** What to do about the record at that offset. Given once for each question. */
    record Decided(PartitionId partition, long offset, Decisions.Verdict verdict, DecidedBy by)
            implements DecisionEvent {}
}
