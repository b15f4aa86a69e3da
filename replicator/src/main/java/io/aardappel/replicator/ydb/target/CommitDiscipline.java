package io.aardappel.replicator.ydb.target;

/**
 * What a commit must do to be safe. Programs use {@link #SOUND}; a test plants a fault with another and shows that the
 * proof of the product notices it.
 *
 * @param provesLock each transaction reads owner, checkpoint and commit number and goes on only when they are as known
 * @param checkpointWithRows the checkpoint is written by the transaction that writes the rows
 */
public record CommitDiscipline(boolean provesLock, boolean checkpointWithRows) {
    public static final CommitDiscipline SOUND = new CommitDiscipline(true, true);
}
