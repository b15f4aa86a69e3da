package io.aardappel.replicator.core;

/**
 * How large the next transaction may be: the target, halved by every one that timed out and grown back by those that
 * succeed. Not thread-safe.
 */
final class CutSize {
    private static final double GROWTH = 1.25;

    private final TransactionBounds bounds;
    private double share = 1;

    CutSize(TransactionBounds bounds) {
        this.bounds = bounds;
    }

    /** The bounds to cut by now; the hard ones never change. */
    TransactionBounds now() {
        return new TransactionBounds(
                (int) Math.max(1, bounds.targetRows() * share),
                (long) Math.max(1, bounds.targetBytes() * share),
                bounds.hardRows(),
                bounds.hardBytes());
    }

    void timedOut() {
        share = Math.max(1.0 / bounds.targetRows(), share / 2);
    }

    void succeeded() {
        share = Math.min(1, share * GROWTH);
    }
}
