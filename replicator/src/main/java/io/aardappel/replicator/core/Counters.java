package io.aardappel.replicator.core;

/**
 * Counted since the term began.
 *
 * @param records read, of every kind, duplicates not
 * @param alreadyApplied changes below what is applied, read again after a takeover
 * @param duplicates offsets delivered again
 * @param ignoredBarriers that repeated or went back
 * @param late changes below a barrier of their partition
 * @param unfit records that could not become a change
 * @param filtered records about rows that are left out by their keys
 * @param appliedByDecision late changes that were written because it was decided so
 * @param skippedByDecision late and unfit records that were left out because it was decided so
 */
public record Counters(
        long records,
        long alreadyApplied,
        long duplicates,
        long ignoredBarriers,
        long late,
        long unfit,
        long filtered,
        long appliedByDecision,
        long skippedByDecision) {
    public static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The same with further changes that were decided about. */
    Counters withDecided(long applied, long skipped) {
        return new Counters(
                records,
                alreadyApplied,
                duplicates,
                ignoredBarriers,
                late,
                unfit,
                filtered,
                appliedByDecision + applied,
                skippedByDecision + skipped);
    }
}
