package io.aardappel.replicator.core;

/**
 * Our row about one record that was late or did not fit, or about all records of its position: what was decided. Durable
 * together with what it decides, so that no decision is ever carried out twice.
 *
 * @param topic with the consumer it names the stream, as configured; both are empty in a row about a position
 * @param partition of the record; the step in a row about a position
 * @param offset of the record; the transaction id in a row about a position
 * @param position of the record where it could be read, else {@link Position#ZERO}
 * @param reason what was wrong with the record, for a person; no values
 */
public record DecisionRow(
        String topic,
        String consumer,
        long partition,
        long offset,
        Action action,
        DecidedBy decidedBy,
        Position position,
        String reason) {
    /**
     * One about all records of a position, named by that alone: none of its records and no stream owns it.
     *
     * @param action about a whole position
     */
    public static DecisionRow ofPosition(Position position, Action action, DecidedBy decidedBy, String reason) {
        return new DecisionRow("", "", position.step(), position.txId(), action, decidedBy, position, reason);
    }

    /** What becomes of the record. */
    public enum Action {
        /** It is written as if it had come in order, or over what is there when its position was passed already. */
        APPLY,
        /** It is left out. */
        SKIP,
        /** It is written together with all that share its position, whatever the bounds of a transaction. */
        APPLY_ALL,
        /** It is left out together with all that share its position. */
        SKIP_ALL;

        /** Whether it is about all records of the position. */
        public boolean ofWholePosition() {
            return this == APPLY_ALL || this == SKIP_ALL;
        }
    }

    /** Who decided. */
    public enum DecidedBy {
        /** A person, through the command queue. */
        COMMAND,
        /** A person, who let a dead letter be replayed. */
        REPLAY,
        /** The stream's {@code problem_strategy}. */
        STRATEGY
    }
}
