package io.aardappel.replicator.ydb.target;

import io.aardappel.replicator.core.Batch;
import io.aardappel.replicator.core.Position;

/**
 * What one lock term knows of the destination after its last transaction. Moves only when a transaction is known to be
 * durable. One thread only.
 */
final class Term {
    private final String owner;
    private Position checkpoint;
    private String stage;
    private long commitSeq;
    private boolean instanceRowThere;

    Term(String owner, Position checkpoint, String stage, long commitSeq, boolean instanceRowThere) {
        this.owner = owner;
        this.checkpoint = checkpoint;
        this.stage = stage;
        this.commitSeq = commitSeq;
        this.instanceRowThere = instanceRowThere;
    }

    void committed(Batch batch) {
        marked();
        batch.checkpoint().ifPresent(position -> {
            checkpoint = position;
            stage = batch.stage().name();
        });
    }

    /** A transaction is durable that left only its mark. */
    void marked() {
        commitSeq++;
        instanceRowThere = true;
    }

    String owner() {
        return owner;
    }

    Position checkpoint() {
        return checkpoint;
    }

    String stage() {
        return stage;
    }

    long commitSeq() {
        return commitSeq;
    }

    boolean instanceRowThere() {
        return instanceRowThere;
    }
}
