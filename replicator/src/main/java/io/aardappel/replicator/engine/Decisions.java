package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import java.util.function.Consumer;

/**
 * Decides what becomes of a record that is late or does not fit. Called on the engine's thread; never blocks; each
 * question is answered by one {@link DecisionEvent.Decided}, now or later, on any thread. No transaction is begun while a
 * question is open.
 */
public interface Decisions {
    /** The closed set of answers. */
    enum Verdict {
        /** Write FATAL_ERROR with the problem's text and end. */
        STOP
    }

    /**
     * A record that needs a decision.
     *
     * @param key as text, empty where it could not be read
     * @param problem what to report when the answer is to stop
     */
    record Question(PartitionId partition, long offset, Position position, String key, Problem problem) {}

    void ask(Question question);

    /** The strategy that stops at every such record. */
    static Decisions alwaysStop(Consumer<Event> inbox) {
        return question ->
                inbox.accept(new DecisionEvent.Decided(question.partition(), question.offset(), Verdict.STOP));
    }
}
