package io.aardappel.replicator.simulation;

/** What a test plants to see whether the simulation notices. */
enum Fault {
    NONE,
    QUORUM_BY_MAXIMUM,
    ERASE_THEN_UPDATE_IS_UPDATE,
    CUT_INSIDE_A_POSITION,
    MAXIMUM_OVER_PARENTS,
    BUFFER_DROPPED_RESOLVED_KEPT,
    CHECKPOINT_OUTSIDE_TRANSACTION,
    NO_LOCK_PROOF,
    OFFSETS_PAST_WITNESS,
    OFFSETS_BEFORE_COMMIT,
    APPLY_TWICE
}
