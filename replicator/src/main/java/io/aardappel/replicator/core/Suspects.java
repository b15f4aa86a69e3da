package io.aardappel.replicator.core;

/**
 * The search for what the destination refuses among the changes of a batch: they are tried in ever smaller parts, each in
 * its turn and whole, until the refused part cannot be parted. Not thread-safe.
 */
final class Suspects {
    /** Where so many are refused one after the other and no row is taken in between, it is not for what they are. */
    static final int REFUSALS_IN_A_ROW_MAX = 16;

    /** Changes next in order among which the refused one is, 0 when nothing is suspected. */
    private int left;

    private int inARow;

    /** The bounds to cut by, so that the next batch has half of them at most. */
    TransactionBounds narrow(TransactionBounds bounds) {
        return left == 0
                ? bounds
                : new TransactionBounds(
                        Math.max(1, Math.min(bounds.targetRows(), left / 2)),
                        bounds.targetBytes(),
                        bounds.hardRows(),
                        bounds.hardBytes());
    }

    /** A batch of so many changes, which can be parted, was refused. */
    void among(int changes) {
        left = changes;
    }

    /**
     * It was found.
     *
     * @param byServer whether it is known only from what the server took before and refused now
     * @return whether so many were found so, one after the other, that it cannot be for what they are
     */
    boolean found(boolean byServer) {
        left = 0;
        inARow += byServer ? 1 : 0;
        return inARow > REFUSALS_IN_A_ROW_MAX;
    }

    /** A batch is durable. */
    void cleared(int changes, int rows) {
        left = Math.max(0, left - changes);
        inARow = rows > 0 ? 0 : inARow;
    }
}
