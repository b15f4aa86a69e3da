package io.aardappel.replicator.core;

/**
 * Our row about one record that was late or did not fit: what was decided. Durable together with what it decides, so that no
 * decision is ever carried out twice.
 *
 * @param topic with the consumer it names the stream, as configured
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
    /** What becomes of the record. */
    public enum Action {
        /** It is written as if it had come in order, or over what is there when its position was passed already. */
        APPLY,
        /** It is left out. */
        SKIP
    }

    /** Who decided. */
    public enum DecidedBy {
        /** A person, through the command queue. */
        COMMAND,
        /** The stream's {@code problem_strategy}. */
        STRATEGY
    }
}
