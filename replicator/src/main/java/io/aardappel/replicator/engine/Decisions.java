package io.aardappel.replicator.engine;

import io.aardappel.replicator.core.Command.Companion;
import io.aardappel.replicator.core.DecisionRow.DecidedBy;
import io.aardappel.replicator.core.PartitionId;
import io.aardappel.replicator.core.Position;
import io.aardappel.replicator.core.Problem;
import io.aardappel.replicator.core.StreamRecord.Change;
import io.aardappel.replicator.core.StreamRecord.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        STOP,
        /** Write it, over what is there when its position was passed already. Only for what can become a change. */
        APPLY,
        /** Leave it out. */
        SKIP
    }

    /**
     * A record that needs a decision.
     *
     * @param key as the feed spells it, empty where it could not be read
     * @param change the record, absent when it cannot become one
     * @param wording what the record would write if it could become one, absent where it does not say or can
     * @param barrier last one of the partition, absent when it has had none
     * @param problem what to report when the answer is to stop
     * @param companions further records that the one answer is about as well
     */
    record Question(
            PartitionId partition,
            long offset,
            Position position,
            String key,
            Optional<Change> change,
            Optional<Wording> wording,
            Optional<Position> barrier,
            Problem problem,
            List<Companion> companions) {
        /** The record and its companions, each as a question of its own. */
        public List<Question> each() {
            List<Question> each = new ArrayList<>();
            each.add(this);
            for (Companion companion : companions) {
                Change also = companion.change();
                each.add(new Question(
                        companion.partition(),
                        companion.offset(),
                        also.position(),
                        also.key().toString(),
                        Optional.of(also),
                        Optional.empty(),
                        Optional.empty(),
                        problem,
                        List.of()));
            }
            return each;
        }
    }

    void ask(Question question);

    /** The strategy that stops at every such record. */
    static Decisions alwaysStop(Consumer<Event> inbox) {
        return question -> inbox.accept(
                new DecisionEvent.Decided(question.partition(), question.offset(), Verdict.STOP, DecidedBy.STRATEGY));
    }
}
